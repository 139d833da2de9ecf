import { z } from "zod";
import { ConfigError } from "./error.ts";
import { readConfigFile } from "./file.ts";

const LARGEST_FILE_BYTES = 16_777_216;
const MOST_COOKIES = 3_000;
const MOST_ORIGINS = 200;
const MOST_ITEMS = 10_000;
/** What browsers take for name and value of a cookie together. */
const LONGEST_COOKIE_CHARACTERS = 4_096;
const LONGEST_PLACE_CHARACTERS = 2_048;
/** An origin's whole localStorage in browsers. */
const LONGEST_ITEM_CHARACTERS = 5_242_880;

const place = z.string().min(1).max(LONGEST_PLACE_CHARACTERS);

const cookie = z.strictObject({
  name: z.string().max(LONGEST_COOKIE_CHARACTERS),
  value: z.string().max(LONGEST_COOKIE_CHARACTERS),
  domain: place.regex(/^\.?[^\s/:@]+$|^\[[\da-f:.]+\]$/i),
  path: place.startsWith("/"),
  expires: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(["Strict", "Lax", "None"]),
  partitionKey: place.optional(),
});

const origin = z.strictObject({
  origin: place.refine((text) => /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text),
  localStorage: z
    .array(
      z.strictObject({ name: z.string().max(LONGEST_ITEM_CHARACTERS), value: z.string().max(LONGEST_ITEM_CHARACTERS) }),
    )
    .max(MOST_ITEMS),
});

const storageState = z.strictObject({
  cookies: z.array(cookie).max(MOST_COOKIES),
  origins: z.array(origin).max(MOST_ORIGINS),
});

/**
 * Cookies and localStorage that a session begins with, in the shape of Playwright's `context.storageState()`. As good
 * as the passwords behind it. `expires` in seconds since 1970, -1 for a session cookie; `origin` as in
 * `https://example.com`, without a slash at its end.
 */
export type StorageState = z.infer<typeof storageState>;

/** What of it signs somebody in, as far as its form shows that: a word such as `english` is no secret. */
export function credentialsOf({ cookies, origins }: StorageState): readonly string[] {
  const stored = origins.flatMap(({ localStorage }) => localStorage.flatMap(({ value }) => value.match(TOKENS) ?? []));
  const sent = cookies.flatMap(({ value, httpOnly }) => [
    ...(httpOnly ? [value] : []),
    ...(decoded(value).match(TOKENS) ?? []),
  ]);
  return [...new Set([...sent, ...stored])].filter((value) => /\d/.test(value) && /[a-z]/i.test(value));
}

const TOKENS = /[\w.~+/=-]{12,}/g;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A checked copy. Throws ConfigError, which says where it is wrong and shows nothing of what it holds. */
export function parseStorageState(value: unknown, source = "storageState"): StorageState {
  const result = storageState.safeParse(value);
  if (result.success) return result.data;
  throw new ConfigError(
    `${source}: ${whereWrong(result.error)} is not as Playwright writes it (cookies, and origins with their localStorage)`,
  );
}

/** From a file, as `context.storageState({ path })` writes one; at most 16 MiB. Throws ConfigError. */
export function readStorageState(path: string): StorageState {
  const { text } = readConfigFile(path, { largestBytes: LARGEST_FILE_BYTES });
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // No cause: the parser quotes the text.
    throw new ConfigError(`${path}: not valid JSON`);
  }
  return parseStorageState(value, path);
}

/** `cookies[0].sameSite`: only names of ours and numbers, nothing that was written there. */
function whereWrong(error: z.ZodError): string {
  const path = error.issues[0]?.path ?? [];
  return path.length === 0
    ? "it"
    : path.reduce<string>(
        (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}${text && "."}${String(part)}`),
        "",
      );
}
