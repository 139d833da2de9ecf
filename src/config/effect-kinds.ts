import { z } from "zod";
import { effectsPolicy, entryText, parseSite } from "../gate/index.ts";
import type { Kind } from "./kinds.ts";

const LONGEST_ENTRY_CHARACTERS = 4096;
const MOST_FIELDS = 200;

/** `POST https://shop.test/cart/*`: method, site and path in one. */
const WRITTEN = /^(?:([A-Z]{1,20}) )?((?:https?:\/\/)?[^/\s]+)(\/\S*)$/;

const text = z.string().max(LONGEST_ENTRY_CHARACTERS);
const texts = z.array(text).max(MOST_FIELDS);

export interface PermittedEffect {
  readonly site: string;
  readonly method: string;
  readonly path: string;
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
    .union([text, z.strictObject({ site: text, method: text, path: text, fields: texts.optional(), max: z.number().optional() })])
    .transform((given, context) => {
      const [, method = "", site = "", path = ""] = typeof given === "string" ? (WRITTEN.exec(given) ?? []) : [];
      return checked("allow", typeof given === "string" ? { site, method, path } : given, context);
    }),
  expects: "a request such as 'POST https://shop.test/cart/*', or an object with site, method and path, perhaps fields and max",
  list: false,
  path: false,
  fromText: (written) => written,
};

/** Requests that only read although their method does not say so. */
export const readLike: Kind<ReadLike> = {
  schema: z.union([text, z.strictObject({ site: text, path: text, operations: texts.optional() })]).transform((given, context) => {
    const [, , site = "", path = ""] = typeof given === "string" ? (WRITTEN.exec(given) ?? []) : [];
    return checked("readLike", typeof given === "string" ? { site, path } : given, context);
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
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "not an entry", params: { said: true } });
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
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "not a site", params: { said: true } });
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
