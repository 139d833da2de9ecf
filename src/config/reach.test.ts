import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "./error.ts";
import { configFromObject, type Loaded, loadConfig } from "./load.ts";
import type { ConfigInput } from "./shape.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-reach-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const nobody = (): { env: Record<string, string>; managed: { directory: string; ownerUid: null } } => ({
  env: {},
  managed: { directory, ownerUid: null },
});

function fromObject(input: unknown): Loaded {
  return configFromObject("library", input as ConfigInput, nobody());
}

function problem(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (ConfigError.is(error)) return error.message;
    throw error;
  }
  return "no error";
}

describe("the keys of reach", () => {
  test("are canonical afterwards", () => {
    const { config } = fromObject({
      allow: ["HTTPS://Shop.TEST/", "bücher.test", "desk.test.", "x.test:8443"],
      block: ["Ads.test"],
      hostMap: { "SHOP.test": "127.0.0.1:8080" },
    });
    expect(config.allow).toEqual(["https://shop.test", "xn--bcher-kva.test", "desk.test", "x.test:8443"]);
    expect(config.block).toEqual(["ads.test"]);
    expect(config.hostMap).toEqual({ "shop.test": "127.0.0.1:8080" });
  });

  test.each<[string, unknown, string]>([
    ["a wildcard", { allow: ["*.shop.test"] }, 'allow: "*.shop.test" has a wildcard'],
    ["a blank", { allow: ["shop test"] }, 'allow: "shop test" has blanks'],
    ["nothing", { allow: [""] }, 'allow: "" is empty'],
    ["another scheme", { allow: ["ftp://shop.test"] }, "has a scheme other than http and https"],
    ["a path", { allow: ["https://shop.test/cart"] }, "has more than scheme, host and port"],
    ["a user name", { allow: ["https://ada@shop.test"] }, "has a user name or password"],
    ["a port that is none", { allow: ["shop.test:99999"] }, "is not a host"],
    ["port 0", { allow: ["shop.test:0"] }, "has no such port"],
    ["a word for a port", { allow: ["shop.test:https"] }, "is not a host"],
    ["a host of 10,000 characters", { allow: [`${"a".repeat(4_000)}.test`] }, "is not a host"],
    ["a lone surrogate", { allow: ["sh\ud800p.test"] }, "is not a host"],
    ["a private address", { allow: ["http://127.0.0.1:3000"] }, "only the option private opens"],
    ["a metadata service", { allow: ["169.254.169.254"] }, "is a metadata service"],
    ["a public suffix", { allow: ["co.uk"] }, "is a public suffix"],
    ["a public suffix of a host", { helpers: ["github.io"] }, "is a public suffix"],
    ["the same in allow and block", { allow: ["shop.test"], block: ["shop.test"] }, "is in block too"],
    ["a subdomain of a blocked host", { allow: ["https://www.shop.test"], block: ["shop.test"] }, "is in block too"],
    ["the same in add and remove", { sensitive: { add: ["a.test"], remove: ["a.test"] } }, "is in add and in remove"],
    ["assets open and bound", { assets: "open", reach: ["subresource"] }, "assets: open contradicts reach"],
    ["an unknown kind", { reach: ["images"] }, "reach must be a list"],
    ["an unknown reading", { reading: "some" }, "reading must be listed, asked or open"],
    ["an unknown key inside", { sensitive: { added: [] } }, "unknown key sensitive.added"],
    ["a mapped address", { hostMap: { "127.0.0.1": "127.0.0.1:80" } }, "hostMap must be"],
    ["a mapped name without a port", { hostMap: { "shop.test": "127.0.0.1" } }, "hostMap must be"],
    [
      "a mapped name twice",
      { hostMap: { "shop.test": "127.0.0.1:1", "SHOP.test.": "127.0.0.1:2" } },
      "hostMap must be",
    ],
    ["text with a lone surrogate", { task: "see \ud800" }, "task must be"],
  ])("%s is an error that names it", (_what, input, message) =>
    expect(problem(() => fromObject(input))).toContain(message),
  );

  test("an entry is named with its place in the file", () => {
    const file = join(directory, "c.jsonc");
    writeFileSync(file, `{\n  "allow": [\n    "shop.test",\n    "*.desk.test"\n  ]\n}`);
    expect(problem(() => loadConfig({ face: "mcp", configFile: file, ...nobody() }))).toBe(
      `${file}:4: allow: "*.desk.test" has a wildcard, which would match nothing: a host covers its subdomains; give a host such as shop.test, or https://shop.test:8443`,
    );
  });

  test("a file that is not UTF-8 is refused whole", () => {
    const file = join(directory, "c.jsonc");
    writeFileSync(
      file,
      Buffer.concat([Buffer.from('{ "allow": ["sh'), Buffer.from([0xff]), Buffer.from('p.test"] }')]),
    );
    expect(problem(() => loadConfig({ face: "mcp", configFile: file, ...nobody() }))).toContain("not UTF-8 text");
  });
});

describe("the managed policy narrows", () => {
  const user = {
    allow: ["shop.test", "desk.test", "other.test"],
    block: ["ads.test"],
    task: "see evil.test",
    reading: "open",
    reach: ["navigation"],
    assets: "open",
    helpers: ["idp.test", "pay.test"],
    sensitive: { add: ["a.test"], remove: ["b.test", "c.test"] },
    profile: "observe",
    hostMap: { "shop.test": "127.0.0.1:1", "desk.test": "127.0.0.1:2" },
  };

  test.each<[string, unknown, unknown]>([
    ["allow", ["www.shop.test", "desk.test"], ["desk.test", "www.shop.test"]],
    ["allow", [], []],
    ["block", ["x.test"], ["ads.test", "x.test"]],
    ["task", "", ""],
    ["reading", "listed", "listed"],
    ["reach", ["data"], ["navigation", "data"]],
    ["includeSubdomains", false, false],
    ["assets", "seen", "seen"],
    ["helpers", ["idp.test"], ["idp.test"]],
    ["sensitive", { add: ["x.test"] }, { add: ["a.test", "x.test"], remove: ["b.test", "c.test"] }],
    ["sensitive", { remove: ["c.test"] }, { add: ["a.test"], remove: ["c.test"] }],
    ["profile", "guarded", "guarded"],
    ["hostMap", { "shop.test": "127.0.0.1:1", "desk.test": "127.0.0.1:9" }, { "shop.test": "127.0.0.1:1" }],
  ])("%s to %j", (key, bound, left) => {
    writeFileSync(join(directory, "policy.json"), JSON.stringify({ [key]: bound }));
    expect(new Map(Object.entries(fromObject(user).config)).get(key)).toEqual(left);
  });

  test.each<[string, unknown]>([
    ["block", []],
    ["task", "see shop.test"],
    ["reading", "open"],
    ["reach", []],
    ["includeSubdomains", true],
    ["assets", "open"],
    ["profile", "observe"],
  ])("%s of %j would widen", (key, bound) => {
    writeFileSync(join(directory, "policy.json"), JSON.stringify({ [key]: bound }));
    expect(problem(() => fromObject({}))).toContain("would widen");
  });

  test("allow gives nothing that nobody asked for", () => {
    writeFileSync(join(directory, "policy.json"), JSON.stringify({ allow: ["shop.test"] }));
    expect(fromObject({}).config.allow).toEqual([]);
  });
});
