import { z } from "zod";
import { effectsPolicy, entryText, parseSite, readWritten, type Written } from "../gate/index.ts";
import type { Kind } from "./kinds.ts";

const LONGEST_ENTRY_CHARACTERS = 4096;
const MOST_NAMES = 200;
/** What no line of a command line says. */
const NOTHING: Written = { method: "", site: "", path: "" };

const text = z.string().max(LONGEST_ENTRY_CHARACTERS);
const texts = z.array(text).max(MOST_NAMES);

export interface PermittedEffect {
  readonly site: string;
  readonly method: string;
  readonly path: string;
  readonly operations?: readonly string[] | undefined;
  readonly query?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly max?: number | undefined;
}

export interface ReadLike {
  readonly site: string;
  readonly path: string;
  readonly operations?: readonly string[] | undefined;
}

export interface KnownSite {
  readonly site: string;
  readonly private: boolean;
}

/** Requests that the operator permits. */
export const permittedEffect: Kind<PermittedEffect> = {
  schema: z
    .union([
      text,
      z.strictObject({
        site: text,
        method: text,
        path: text,
        operations: texts.optional(),
        query: texts.optional(),
        fields: texts.optional(),
        max: z.number().optional(),
      }),
    ])
    .transform((given, context) =>
      checked("allow", typeof given === "string" ? (readWritten(given) ?? NOTHING) : given, context),
    ),
  expects:
    "a request such as 'POST https://shop.test/cart/*', or an object with site, method and path, perhaps operations, query, fields and max",
  list: false,
  path: false,
  fromText: (written) => written,
};

/** Requests that only read although their method does not say so. */
export const readLike: Kind<ReadLike> = {
  schema: z
    .union([text, z.strictObject({ site: text, path: text, operations: texts.optional() })])
    .transform((given, context) => {
      if (typeof given !== "string") return checked("readLike", given, context);
      const { site, path, query = [], operations } = readWritten(given) ?? NOTHING;
      // A path with parameters matches nothing: the gate says so.
      return checked(
        "readLike",
        { site, path: query.length === 0 ? path : `${path}?${query.join("&")}`, ...(operations && { operations }) },
        context,
      );
    }),
  expects: "a place such as https://shop.test/graphql, or an object with site and path, perhaps operations",
  list: false,
  path: false,
  fromText: (written) => written,
};

/** The gate that will match it says what is wrong with it. */
function checked<T extends object>(list: "allow" | "readLike", entry: T, context: z.RefinementCtx): T {
  try {
    effectsPolicy({ [list]: [entry] });
    return entry;
  } catch (error) {
    context.addIssue({
      code: "custom",
      message: error instanceof Error ? error.message : "not an entry",
      params: { said: true },
    });
    return z.NEVER;
  }
}

/** What is known of a site; its name alone stands for a private one. */
export const knownSite: Kind<KnownSite> = {
  schema: z.union([text, z.strictObject({ site: text, private: z.boolean() })]).transform((given, context) => {
    const { site, private: isPrivate } = typeof given === "string" ? { site: given, private: true } : given;
    try {
      return { site: entryText(parseSite(site, "sites")), private: isPrivate };
    } catch (error) {
      context.addIssue({
        code: "custom",
        message: error instanceof Error ? error.message : "not a site",
        params: { said: true },
      });
      return z.NEVER;
    }
  }),
  expects: "a host such as crm.test, or an object with site and private",
  list: false,
  path: false,
  fromText: (name) => name,
};

/** `console`, `elicitation`, `terminal`, `command:…` or `none`. */
export const approver: Kind<string> = {
  schema: text.refine((name) => /^(console|elicitation|terminal|none)$/.test(name) || /^command:\S/.test(name)),
  expects: "console, elicitation, terminal, command:… or none",
  list: false,
  path: false,
  fromText: (name) => name,
};
