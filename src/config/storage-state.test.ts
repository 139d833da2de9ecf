import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigError } from "./error.ts";
import { credentialsOf, parseStorageState, readStorageState } from "./storage-state.ts";

const SECRET = "s3cret-4711";
const cookie = {
  name: "sid",
  value: SECRET,
  domain: ".shop.test",
  path: "/",
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: "Lax" as const,
};
const origin = { origin: "https://shop.test", localStorage: [{ name: "token", value: SECRET }] };
const state = { cookies: [cookie], origins: [origin] };

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-state-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function problem(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (ConfigError.is(error)) return `${error.message} ${String(error.cause ?? "")}`;
    throw error;
  }
  return "no error";
}

describe("what of it is a secret", () => {
  const item = (value: string) => ({
    ...state,
    cookies: [],
    origins: [{ ...origin, localStorage: [{ name: "n", value }] }],
  });
  it.each([
    ["a cookie that scripts cannot read", { ...state, origins: [] }, [SECRET]],
    [
      "a long one that they can",
      { cookies: [{ ...cookie, httpOnly: false, value: "a1%2Fb2c3d4e5f6g7" }], origins: [] },
      ["a1/b2c3d4e5f6g7"],
    ],
    ["a token in JSON", item(`{"token":"eyJhbGciOi.J9x","theme":"dark"}`), ["eyJhbGciOi.J9x"]],
    ["words and settings are none", item(`{"language":"english","layout":"two-columns-wide","count":"12"}`), []],
    ["nor is a short plain cookie", { cookies: [{ ...cookie, httpOnly: false, value: "en-GB" }], origins: [] }, []],
  ])("%s", (_what, given, expected) => expect(credentialsOf(given)).toEqual(expected));
});

describe("stored state", () => {
  it("is taken as Playwright writes it, as a copy", () => {
    const given = structuredClone({ ...state, cookies: [cookie, { ...cookie, partitionKey: "https://top.test" }] });
    const parsed = parseStorageState(given);
    expect(parsed).toEqual(given);
    expect(parsed).not.toBe(given);
    expect(parseStorageState({ cookies: [], origins: [] })).toEqual({ cookies: [], origins: [] });
  });

  const wrong: readonly [string, unknown, string][] = [
    ["no object", SECRET, "it"],
    ["no cookies", { origins: [] }, "cookies"],
    ["an unknown key", { ...state, [SECRET]: 1 }, "it"],
    ["an unknown key of a cookie", { ...state, cookies: [{ ...cookie, [SECRET]: 1 }] }, "cookies[0]"],
    ["a sameSite of its own", { ...state, cookies: [cookie, { ...cookie, sameSite: SECRET }] }, "cookies[1].sameSite"],
    ["a number for a value", { ...state, cookies: [{ ...cookie, value: 4711 }] }, "cookies[0].value"],
    [
      "an address for a domain",
      { ...state, cookies: [{ ...cookie, domain: "http://shop.test/" }] },
      "cookies[0].domain",
    ],
    ["a relative path", { ...state, cookies: [{ ...cookie, path: "x" }] }, "cookies[0].path"],
    ["a value too long", { ...state, cookies: [{ ...cookie, value: SECRET.repeat(1_000) }] }, "cookies[0].value"],
    ["too many cookies", { ...state, cookies: Array.from({ length: 3_001 }, () => cookie) }, "cookies"],
    ["a file's origin", { ...state, origins: [{ ...origin, origin: "file:///etc" }] }, "origins[0].origin"],
    [
      "an origin with a path",
      { ...state, origins: [{ ...origin, origin: `https://shop.test/${SECRET}` }] },
      "origins[0].origin",
    ],
    [
      "an origin with user-info",
      { ...state, origins: [{ ...origin, origin: `https://${SECRET}@shop.test` }] },
      "origins[0].origin",
    ],
    ["databases", { ...state, origins: [{ ...origin, indexedDB: [SECRET] }] }, "origins[0]"],
    [
      "an item that is no text",
      { ...state, origins: [{ ...origin, localStorage: [{ name: "a", value: [SECRET] }] }] },
      "origins[0].localStorage[0].value",
    ],
  ];
  it.each(wrong)("%s is an error that says where and shows nothing", (_, value, where) => {
    const file = join(directory, "state.json");
    writeFileSync(file, JSON.stringify(value));
    for (const [said, source] of [
      [problem(() => parseStorageState(value)), "storageState"],
      [problem(() => readStorageState(file)), file],
    ] as const) {
      expect(said).toContain(`${source}: ${where} is not as Playwright writes it`);
      expect(said).not.toMatch(/s3cret|4711/);
    }
  });

  it("is read from a file, whose text no error shows", () => {
    const file = join(directory, "state.json");
    writeFileSync(file, `\uFEFF${JSON.stringify(state)}`);
    expect(readStorageState(file)).toEqual(state);
    for (const text of [SECRET, `{"cookies": ${SECRET}}`, `"${SECRET}`, ""]) {
      writeFileSync(file, text);
      const said = problem(() => readStorageState(file));
      expect(said).toContain(`${file}: not valid JSON`);
      expect(said).not.toContain(SECRET);
    }
    expect(problem(() => readStorageState(join(directory, "missing.json")))).toContain("missing.json: no such file");
  });
});
