import { z } from "zod";
import type { Origin } from "../types.ts";

const LONGEST_TEXT_CHARACTERS = 4096;
const LONGEST_LIST_ITEMS = 1000;

/** What values a key takes, and how one is read from text (an environment variable, an option's argument). */
export interface Kind<T> {
  readonly schema: z.ZodType<T>;
  /** Completes "must be …". */
  readonly expects: string;
  /** Several options, or one variable with commas. */
  readonly list: boolean;
  /** A file or directory: relative ones are resolved against where they were written. */
  readonly path: boolean;
  /** May hold a credential: no error, note or document shows a value of it. */
  readonly secret?: true;
  /** What cannot be read comes back as it was, so that the schema refuses it. */
  fromText(text: string): unknown;
}

export const flag: Kind<boolean> = {
  schema: z.boolean(),
  expects: "true or false",
  list: false,
  path: false,
  fromText: (text) => (text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : text),
};

/** A file's or program's place, never empty. */
export const path: Kind<string> = {
  schema: z
    .string()
    .min(1)
    .max(LONGEST_TEXT_CHARACTERS)
    .refine((text) => !text.includes("\0")),
  expects: "a path",
  list: false,
  path: true,
  fromText: (text) => text,
};

/** A whole number, bounds included. */
export function whole(smallest: number, largest: number, unit: string): Kind<number> {
  const expects = `a whole number of ${unit} from ${smallest} to ${largest}`;
  return {
    schema: z.number().int().min(smallest).max(largest),
    expects,
    list: false,
    path: false,
    fromText: numberFromText,
  };
}

/** A number above 0, fractions included. */
export function positive(largest: number, unit: string): Kind<number> {
  return {
    schema: z.number().positive().max(largest),
    expects: `a number of ${unit} above 0, at most ${largest}`,
    list: false,
    path: false,
    fromText: numberFromText,
  };
}

export function choice<const Choices extends readonly [string, string, ...string[]]>(
  choices: Choices,
): Kind<Choices[number]> {
  const expects = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
  return { schema: z.enum(choices), expects, list: false, path: false, fromText: (text) => text };
}

export function list<T>(of: Kind<T>): Kind<readonly T[]> {
  return {
    schema: z.array(of.schema).max(LONGEST_LIST_ITEMS),
    expects: `a list, each ${of.expects}`,
    list: true,
    path: of.path,
    fromText: (text) => text.split(",").map((item) => of.fromText(item.trim())),
  };
}

/** `localhost`, or `scheme://host[:port]` in http or https; canonical afterwards. */
export const originOrLocalhost: Kind<Origin | "localhost"> = {
  schema: z
    .string()
    .max(LONGEST_TEXT_CHARACTERS)
    .transform((text, context) => {
      const origin = text === "localhost" ? "localhost" : originFrom(text);
      if (origin !== null) return origin;
      context.addIssue({ code: "custom", message: "not an origin" });
      return z.NEVER;
    }),
  expects: "localhost or an origin such as http://127.0.0.1:3000",
  list: false,
  path: false,
  fromText: (text) => text,
};

const ENDPOINT_SCHEMES: ReadonlySet<string> = new Set(["ws:", "wss:", "http:", "https:"]);

/** Where a running browser answers to the DevTools protocol. Hosted ones put tokens into it. */
export const endpoint: Kind<string> = {
  schema: z.string().max(LONGEST_TEXT_CHARACTERS).refine(isEndpoint),
  expects: "a ws, wss, http or https address of a browser's DevTools endpoint",
  list: false,
  path: false,
  secret: true,
  fromText: (text) => text,
};

function isEndpoint(text: string): boolean {
  // Checked before parsing: URL drops white space and control characters.
  if (!/^[a-z]+:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, hash } = new URL(text);
  return ENDPOINT_SCHEMES.has(protocol) && hostname !== "" && hash === "";
}

function originFrom(text: string): Origin | null {
  // Checked before parsing: URL drops white space and control characters, and reads http:host without slashes.
  if (!/^https?:\/\/[^\s/?#\\@]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin as Origin;
}

function numberFromText(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
