import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "./error.ts";
import { configFromObject, type LoadOptions, loadConfig } from "./load.ts";
import type { ConfigInput } from "./shape.ts";
import { parseUpstream } from "./upstream.ts";

const TOKEN = "t0ken-4711";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "chaperone-secret-"));
  mkdirSync(join(home, "etc"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function load(options: Partial<LoadOptions>) {
  return loadConfig({
    face: "mcp",
    env: {},
    platform: "linux",
    homedir: home,
    cwd: home,
    managed: { directory: join(home, "etc"), ownerUid: null },
    ...options,
  });
}

function problem(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (ConfigError.is(error)) return `${error.message} ${String(error.cause ?? "")}`;
    throw error;
  }
  return "no error";
}

describe("the address of a browser to attach to", () => {
  it.each([
    "ws://127.0.0.1:9222/devtools/browser/1",
    `wss://u:${TOKEN}@browsers.test/x?token=${TOKEN}`,
    "http://127.0.0.1:9222",
    "http://[::1]:9222/",
    "HTTPS://browsers.test/a",
  ])("%s is taken as it is", (url) => {
    expect(load({ env: { CHAPERONE_CDP_URL: url } }).config.browser.cdpUrl).toBe(url);
  });

  const wrong = [
    `ftp://x/${TOKEN}`,
    TOKEN,
    `ws:/x?${TOKEN}`,
    `ws://`,
    `ws://x y/${TOKEN}`,
    `ws://x/#${TOKEN}`,
    `http://?${TOKEN}`,
    `ws://x/${TOKEN}${"a".repeat(5_000)}`,
    "",
  ];
  it.each(wrong)("%j is an error that does not show it", (url) => {
    const file = join(home, "c.json");
    writeFileSync(file, JSON.stringify({ browser: { cdpUrl: url } }));
    const said = [
      problem(() => load({ flags: new Map([["browser.cdpUrl", [url]]]) })),
      problem(() => load({ configFile: file })),
      problem(() => configFromObject("library", { browser: { cdpUrl: url } })),
      ...(url === "" ? [] : [problem(() => load({ env: { CHAPERONE_CDP_URL: url } }))]),
    ];
    for (const line of said) {
      expect(line).toMatch(
        /(--cdp-url|CHAPERONE_CDP_URL|browser\.cdpUrl) must be a ws, wss, http or https address of a browser's DevTools endpoint, got something else \(not shown\)/,
      );
      expect(line).not.toContain(TOKEN);
    }
  });

  it("is not shown when it stands where it does not belong", () => {
    const url = `ws://x/${TOKEN}`;
    for (const text of [
      `{ "browser": { "cdpUrl": ["${url}"] } }`,
      `browser:\n  cdpUrl: [${url}\n`,
      `{ "browser": { "cdpUrl": "${url} } }`,
    ]) {
      const file = join(home, text.startsWith("{") ? "c.json" : "c.yaml");
      writeFileSync(file, text);
      const said = problem(() => load({ configFile: file }));
      expect(said).not.toBe("no error");
      expect(said).not.toContain(TOKEN);
    }
  });

  it("has no place in a managed policy, and is not shown there", () => {
    writeFileSync(join(home, "etc/policy.json"), JSON.stringify({ browser: { cdpUrl: `ws://x/${TOKEN}` } }));
    const said = problem(() => load({}));
    expect(said).toContain("browser.cdpUrl has no place in a managed policy");
    expect(said).not.toContain(TOKEN);
    expect(() => configFromObject("library", { browser: { cdp: TOKEN } } as ConfigInput)).toThrow(/unknown key/);
  });
});

describe("the address of a proxy", () => {
  const PASSWORD = "pa5sw0rd-4711";

  it.each([
    ["http://proxy.test:3128", { host: "proxy.test", port: 3128 }],
    ["http://proxy.test:80/", { host: "proxy.test", port: 80 }],
    ["HTTP://PROXY.test:3128", { host: "proxy.test", port: 3128 }],
    ["http://[::1]:3128", { host: "::1", port: 3128 }],
    [
      `http://ada:${PASSWORD}@127.0.0.1:3128`,
      { host: "127.0.0.1", port: 3128, authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString("base64")}` },
    ],
    [
      "http://ada:a%40%3Ab%C3%A9@proxy.test:3128",
      { host: "proxy.test", port: 3128, authorization: `Basic ${Buffer.from("ada:a@:bé").toString("base64")}` },
    ],
    [
      "http://ada@proxy.test:3128",
      { host: "proxy.test", port: 3128, authorization: `Basic ${Buffer.from("ada:").toString("base64")}` },
    ],
  ])("%s is taken as it is, and read", (url, place) => {
    expect(load({ env: { CHAPERONE_PROXY: url } }).config.browser.proxy).toBe(url);
    expect(parseUpstream(url)).toEqual(place);
  });

  it.each([
    `https://u:${PASSWORD}@proxy.test:3128`,
    `socks5://u:${PASSWORD}@proxy.test:1080`,
    `http://u:${PASSWORD}@proxy.test`,
    `http://u:${PASSWORD}@proxy.test:0`,
    `http://u:${PASSWORD}@proxy.test:65536`,
    `http://u:${PASSWORD}@proxy.test:3128/path`,
    `http://u:${PASSWORD}@proxy.test:3128?${PASSWORD}`,
    `http://u:${PASSWORD}@:3128`,
    `http://u:${PASSWORD}@a@b:3128`,
    `http://u%3Av:${PASSWORD}@proxy.test:3128`,
    `http://u:${PASSWORD}%0d%0a@proxy.test:3128`,
    `http://u:${PASSWORD}%zz@proxy.test:3128`,
    `u:${PASSWORD}@proxy.test:3128`,
    ` http://u:${PASSWORD}@proxy.test:3128`,
    PASSWORD,
    "",
  ])("%j is an error that does not show it", (url) => {
    const file = join(home, "c.json");
    writeFileSync(file, JSON.stringify({ browser: { proxy: url } }));
    const said = [
      problem(() => load({ flags: new Map([["browser.proxy", [url]]]) })),
      problem(() => load({ configFile: file })),
      problem(() => configFromObject("library", { browser: { proxy: url } })),
      ...(url === "" ? [] : [problem(() => load({ env: { CHAPERONE_PROXY: url } }))]),
    ];
    for (const line of said) {
      expect(line).toMatch(
        /(--proxy|CHAPERONE_PROXY|browser\.proxy) must be the address of an HTTP proxy with its port, .*, got something else \(not shown\)/,
      );
      expect(line).not.toContain(PASSWORD);
    }
  });
});
