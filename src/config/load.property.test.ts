import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../test/runs.ts";
import { ConfigError } from "./error.ts";
import { layerFromEnvironment, layerFromFile, layerFromFlags } from "./layers.ts";
import { configFromObject } from "./load.ts";
import { parseConfig } from "./parse.ts";
import { type Config, type ConfigInput, entries, keyPaths } from "./shape.ts";
import { variableOf } from "./table.ts";

const base = { directory: "/somewhere", homedir: "/home/ada" };
const nowhere = { env: {}, managed: { directory: "/nonexistent", ownerUid: 0 } };
const words = [
  ...new Set(keyPaths.flatMap((path) => [path, ...path.split(".")])),
  "__proto__",
  "constructor",
  "toString",
  "$schema",
  "allow",
];
const key = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, fc.string());
const leaf = fc.oneof(
  fc.constantFrom<unknown>("localhost", true, false, 1000, 5, "text", [], ["localhost"], "/bin/true", null, undefined),
  fc.anything(),
);
const object = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf)));

/** Either it works or it is a ConfigError of one line; anything else fails the property. */
function settled<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (!ConfigError.is(error)) throw error;
    expect(error.message).not.toMatch(/\p{Cc}/u);
    return null;
  }
}

function expectWhole(config: Config): void {
  expect(typeof config.browser.sandbox).toBe("boolean");
  expect(Number.isInteger(config.actionTimeoutMs)).toBe(true);
  expect(config.private.every((origin) => origin === "localhost" || new URL(origin).origin === origin)).toBe(true);
  expect(Object.keys(config).sort()).toEqual([...new Set(keyPaths.map((path) => path.split(".")[0]))].sort());
}

it("gives a whole configuration or a ConfigError for any object", () => {
  let good = 0;
  fc.assert(
    fc.property(object, (input) => {
      const loaded = settled(() => configFromObject("library", input as ConfigInput, nowhere));
      if (loaded !== null) {
        expectWhole(loaded.config);
        good++;
      }
      expect(Object.hasOwn(Object.prototype, "private")).toBe(false);
    }),
    { numRuns: runs(150) },
  );
  expect(good).toBeGreaterThan(0);
});

it("reads any text as a file, or says what is wrong", () => {
  const written = object.map(
    (value) => JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? 1 : inner)) ?? "",
  );
  const broken = fc
    .tuple(written, fc.nat(), fc.string({ maxLength: 3 }))
    .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1));
  fc.assert(
    fc.property(
      fc.constantFrom("a.json", "a.yaml", "a"),
      fc.oneof(written, broken, fc.string({ unit: "binary" })),
      (name, text) => {
        settled(() => layerFromFile(name, parseConfig(name, text), base));
      },
    ),
    { numRuns: runs(150) },
  );
});

it("reads JSON and YAML alike", () => {
  const plain = fc.dictionary(
    fc.constantFrom("private", "results", "idleMinutes"),
    fc.oneof(fc.constantFrom("localhost", "text"), fc.integer(), fc.boolean(), fc.array(fc.constant("localhost"))),
  );
  fc.assert(
    fc.property(plain, (value) => {
      const text = JSON.stringify(value);
      expect(parseConfig("a.yaml", text).value).toEqual(parseConfig("a.json", text).value);
    }),
  );
});

it("takes any environment and any arguments, or says what is wrong", () => {
  const variables = fc.constantFrom(...entries.map(([, entry]) => variableOf(entry)), "CHAPERONE_X", "PATH");
  fc.assert(
    fc.property(
      fc.dictionary(variables, fc.string({ unit: "binary" })),
      (env) => void settled(() => layerFromEnvironment(env, base)),
    ),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...keyPaths),
      fc.oneof(fc.constant(true as const), fc.array(fc.string({ unit: "binary" }))),
      (path, given) => {
        settled(() => layerFromFlags(new Map([[path, given]]), base));
      },
    ),
  );
});
