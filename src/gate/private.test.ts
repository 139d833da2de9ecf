import { describe, expect, test } from "vitest";
import { isOpened, isOpenedAddress, isOpenedSite, parsePrivate } from "./private.ts";
import { canonicalUrl, siteOf } from "./sites.ts";

describe("parsePrivate", () => {
  test.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["http://127.0.0.1:3000/", "http://127.0.0.1:3000"],
    ["HTTP://LOCALHOST:80", "http://localhost"],
    ["https://[fd00::1]:8443", "https://[fd00::1]:8443"],
    ["http://nas.local", "http://nas.local"],
  ])("%s", (text, origin) => expect(parsePrivate(text)).toEqual({ opens: "origin", origin }));

  test("localhost", () => expect(parsePrivate("localhost")).toEqual({ opens: "localhost" }));

  test.each([
    "",
    " ",
    "localhost:3000",
    "LOCALHOST",
    "127.0.0.1",
    "127.0.0.1:3000",
    "http://*:3000",
    "http://127.0.0.1:*",
    "http://*.local",
    "*",
    "http://127.0.0.1:3000/admin",
    "http://127.0.0.1/?x",
    "http://127.0.0.1/#x",
    "http://127.0.0.1?",
    "http://127.0.0.1#",
    "http://127.0.0.1\\",
    "http://ada@127.0.0.1",
    "http://@127.0.0.1",
    "http://ada:pw@127.0.0.1",
    " http://127.0.0.1",
    "http://127.0.0.1 ",
    "http://127.0.0.1\n",
    "ftp://127.0.0.1",
    "ws://127.0.0.1",
    "file:///tmp",
    "data:,x",
    "http://",
    "http://1.2.3.4.5",
    "http:127.0.0.1",
    "http://127.0.0.1:99999",
    "http://169.254.169.254",
    "http://[fd00:ec2::254]",
    "http://metadata.google.internal",
    "http://0xa9fea9fe",
    "null",
    "http://a..b",
  ])("%j is an error that names it", (text) => expect(() => parsePrivate(text)).toThrow(JSON.stringify(text)));
});

describe("what an entry opens", () => {
  const opened = (entry: string, url: string): boolean => {
    const parsed = canonicalUrl(url);
    return parsed.ok && isOpened([parsePrivate(entry)], parsed);
  };

  test.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/x", true],
    ["http://127.0.0.1:3000", "http://2130706433:3000/x", true],
    ["http://127.0.0.1:3000", "ws://127.0.0.1:3000/x", true],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3001/x", false],
    ["http://127.0.0.1:3000", "https://127.0.0.1:3000/x", false],
    ["http://127.0.0.1:3000", "http://localhost:3000/x", false],
    ["http://127.0.0.1", "http://127.0.0.1:80/", true],
    ["localhost", "http://localhost:1/", true],
    ["localhost", "https://app.localhost:2/", true],
    ["localhost", "http://127.9.9.9:3/", true],
    ["localhost", "http://[::1]:4/", true],
    ["localhost", "http://[::ffff:127.0.0.1]:4/", false],
    ["localhost", "http://0.0.0.0:4/", false],
    ["localhost", "http://10.0.0.1/", false],
    ["localhost", "http://169.254.169.254/", false],
    ["localhost", "http://shop.test/", false],
  ])("%s, %s: %j", (entry, url, expected) => {
    expect(opened(entry, url)).toBe(expected);
    expect(isOpenedAddress([parsePrivate(entry)], url)).toBe(expected);
  });

  test("a blob: document counts as its maker's", () => {
    expect(isOpenedAddress([parsePrivate("http://127.0.0.1:3000")], "blob:http://127.0.0.1:3000/1")).toBe(true);
    expect(isOpenedAddress([parsePrivate("http://127.0.0.1:3000")], "blob:http://shop.test/1")).toBe(false);
    expect(isOpenedAddress([parsePrivate("localhost")], "blob:null/1")).toBe(false);
  });

  test.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/", true],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3001/", false],
    ["localhost", "http://[::1]:9/", true],
    ["localhost", "http://shop.test/", false],
  ])("by site: %s, %s: %j", (entry, url, expected) =>
    expect(isOpenedSite([parsePrivate(entry)], siteOf(url))).toBe(expected),
  );

  test("no site is never opened", () => expect(isOpenedSite([parsePrivate("localhost")], null)).toBe(false));
});
