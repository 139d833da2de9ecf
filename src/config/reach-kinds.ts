import { z } from "zod";
import { type EntryList, entryText, parseMappedName, parseSite } from "../gate/index.ts";
import type { Kind } from "./kinds.ts";

const LONGEST_ENTRY_CHARACTERS = 4096;
const LONGEST_TASK_CHARACTERS = 20_000;
const MOST_MAPPED_NAMES = 1000;

/**
 * A site of one of the policy's lists, canonical afterwards. What is wrong with it is said by the gate that will match
 * it.
 */
export function site(of: EntryList): Kind<string> {
  return {
    schema: z
      .string()
      .max(LONGEST_ENTRY_CHARACTERS)
      .transform((text, context) => {
        try {
          return entryText(parseSite(text, of));
        } catch (error) {
          context.addIssue({
            code: "custom",
            message: error instanceof Error ? error.message : "not a site",
            params: { said: true },
          });
          return z.NEVER;
        }
      }),
    expects: "a host such as shop.test, or https://shop.test:8443; no wildcards, paths or user names",
    list: false,
    path: false,
    fromText: (text) => text,
  };
}

/** Words of a person. */
export const operatorText: Kind<string> = {
  schema: z
    .string()
    .max(LONGEST_TASK_CHARACTERS)
    .refine((text) => !/\p{Cs}/u.test(text) && !text.includes("\0")),
  expects: `text of at most ${LONGEST_TASK_CHARACTERS} characters`,
  list: false,
  path: false,
  fromText: (text) => text,
};

const PAIR = /^([^=]+)=(.+)$/s;
const PLACE = /^([a-z0-9.-]+|\[[0-9a-f:.]+\]):([1-9]\d{0,4})$/i;

/**
 * Names and where each is served from: an object in files, `NAME=HOST:PORT` as text. Keys and hosts are canonical
 * afterwards.
 */
export const hostMap: Kind<Readonly<Record<string, string>>> = {
  schema: z.union([z.record(z.string(), z.string()), z.array(z.string())]).transform((given, context) => {
    const pairs = Array.isArray(given)
      ? given.map((text): readonly [string, string] => pairOf(text))
      : Object.entries(given);
    const canonical = pairs.length > MOST_MAPPED_NAMES ? null : canonicalPairs(pairs);
    if (canonical !== null) return canonical;
    context.addIssue({ code: "custom", message: "not a host map" });
    return z.NEVER;
  }),
  expects:
    "host names and where each is served from, such as shop.test and 127.0.0.1:8080 (as text shop.test=127.0.0.1:8080)",
  list: true,
  path: false,
  fromText: (text) => text.split(",").map((item) => item.trim()),
};

function pairOf(text: string): readonly [string, string] {
  const [, name = "", place = ""] = PAIR.exec(text) ?? [];
  return [name, place];
}

/** Null when one is malformed or a name is there twice. */
function canonicalPairs(pairs: readonly (readonly [string, string])[]): Readonly<Record<string, string>> | null {
  const map = new Map<string, string>();
  for (const [name, text] of pairs) {
    const [, host = "", digits = ""] = PLACE.exec(text) ?? [];
    const port = Number(digits);
    const key = mappedName(name);
    if (key === null || map.has(key) || port < 1 || port > 65_535 || !URL.canParse(`http://${host}/`)) return null;
    map.set(key, `${new URL(`http://${host}/`).hostname}:${port}`);
  }
  return Object.fromEntries(map);
}

function mappedName(name: string): string | null {
  try {
    return parseMappedName(name);
  } catch {
    return null;
  }
}
