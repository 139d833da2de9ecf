import { expect, test } from "vitest";
import { ConfigError } from "./error.ts";
import { configFromObject } from "./load.ts";

function effectsOf(effects: object): unknown {
  return configFromObject("library", { effects }, { env: {}, platform: "linux", homedir: "/none", cwd: "/none" }).config
    .effects;
}

test.each([
  ["POST https://shop.test/cart/*", { site: "https://shop.test", method: "POST", path: "/cart/*" }],
  [
    "POST shop.test:8443/cart?id&a%20b",
    { site: "shop.test:8443", method: "POST", path: "/cart", query: ["id", "a b"] },
  ],
  [
    "POST https://shop.test/rpc tasks.add Save%20it",
    { site: "https://shop.test", method: "POST", path: "/rpc", operations: ["tasks.add", "Save it"] },
  ],
  [
    "GET http://127.0.0.1:3000/x?action delete",
    { site: "http://127.0.0.1:3000", method: "GET", path: "/x", query: ["action"], operations: ["delete"] },
  ],
])("what is permitted, in one line: %s", (line, entry) =>
  expect(effectsOf({ allow: [line] })).toEqual({ allow: [entry], readLike: [] }),
);

test.each([
  ["https://shop.test/search", { site: "https://shop.test", path: "/search" }],
  [
    "https://shop.test/rpc tasks.list query",
    { site: "https://shop.test", path: "/rpc", operations: ["tasks.list", "query"] },
  ],
])("what only reads, in one line: %s", (line, entry) =>
  expect(effectsOf({ readLike: [line] })).toEqual({ allow: [], readLike: [entry] }),
);

test.each([
  { allow: ["POST https://shop.test/cart?id=1"] },
  { allow: ["POST https://shop.test/cart?"] },
  { allow: ["https://shop.test/cart"] },
  { allow: ["POST https://shop.test/rpc get*"] },
  { allow: ["POST https://shop.test/rpc  add"] },
  { readLike: ["https://shop.test/search?q"] },
])("is no entry: %j", (effects) => expect(() => effectsOf(effects)).toThrow(ConfigError));
