import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalUrl, hostMatches, sameSite, siteOf } from "./sites.ts";

describe("canonicalUrl", () => {
  test.each([
    ["HTTP://Shop.TEST/Path", "shop.test", "http://shop.test"],
    ["https://shop.test./", "shop.test", "https://shop.test"],
    ["https://shop.test:443/", "shop.test", "https://shop.test"],
    ["https://shop.test:8443/", "shop.test", "https://shop.test:8443"],
    ["https://bücher.test/", "xn--bcher-kva.test", "https://xn--bcher-kva.test"],
    ["https://sh\u00adop.test/", "shop.test", "https://shop.test"],
    ["https://sh\u200bop.test/", "shop.test", "https://shop.test"],
    ["https://shop．test/", "shop.test", "https://shop.test"],
    ["https://shop。test/", "shop.test", "https://shop.test"],
    ["https://shop%2etest/", "shop.test", "https://shop.test"],
    ["http:/\\shop.test/", "shop.test", "http://shop.test"],
    ["http:shop.test", "shop.test", "http://shop.test"],
    [" \thttp://sh\nop.test/\r", "shop.test", "http://shop.test"],
    ["http://shop.test\\@evil.test/", "shop.test", "http://shop.test"],
    ["http://shop.test@evil.test/", "evil.test", "http://evil.test"],
    ["http://evil.test/shop.test%2F", "evil.test", "http://evil.test"],
    ["http://0x7f.1/", "127.0.0.1", "http://127.0.0.1"],
    ["wss://shop.test/", "shop.test", "wss://shop.test"],
  ])("%j", (text, host, origin) => expect(canonicalUrl(text)).toMatchObject({ ok: true, host, origin }));

  test("relative addresses resolve against the base", () =>
    expect(canonicalUrl("../b?x=1", "https://shop.test/a/c/")).toMatchObject({
      ok: true,
      url: new URL("https://shop.test/a/b?x=1"),
    }));

  test.each([
    ["", "not_an_address"],
    ["shop.test", "not_an_address"],
    ["http://", "not_an_address"],
    ["http://a b/", "not_an_address"],
    ["http://1.2.3.4.5/", "not_an_address"],
    ["http://[::1%25lo]/", "not_an_address"],
    ["http://\ud800.test/", "not_an_address"],
    ["http://shop..test/", "bad_host"],
    ["http://shop.test../", "bad_host"],
    ["http://./", "bad_host"],
    [`http://${"a.".repeat(200)}test/`, "bad_host"],
    [`http://${"a".repeat(10_000)}.test/`, "bad_host"],
    [`http://shop.test/${"a".repeat(2_100_000)}`, "too_long"],
  ])("refuses %.40j", (text, why) => expect(canonicalUrl(text)).toEqual({ ok: false, why }));

  test("never throws, and what it gives is stable", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.webUrl(),
          fc.string({ unit: "binary" }).map((host) => `http://${host}/`),
        ),
        (text) => {
          const once = canonicalUrl(text);
          if (once.ok)
            expect(canonicalUrl(once.url.href)).toMatchObject({
              ok: true,
              host: once.host,
              origin: once.origin,
              site: once.site,
            });
        },
      ),
    );
  });
});

describe("siteOf", () => {
  test.each([
    ["https://www.shop.test/a", "shop.test"],
    ["http://shop.test:8080/", "shop.test"],
    ["https://a.b.shop.co.uk/", "shop.co.uk"],
    ["https://ada.github.io/", "ada.github.io"],
    ["https://x.ada.github.io/", "ada.github.io"],
    ["https://github.io/", "github.io"],
    ["https://ada.pages.dev/", "ada.pages.dev"],
    ["https://a_b.shop.test/", "shop.test"],
    ["http://intranet/", "intranet"],
    ["http://127.0.0.1:3000/", "127.0.0.1:3000"],
    ["http://127.0.0.1/", "127.0.0.1:80"],
    ["https://[::1]/", "[::1]:443"],
    ["http://localhost:3000/", "localhost:3000"],
    ["http://x.localhost.:3000/", "x.localhost:3000"],
  ])("%s is %s", (url, site) => expect(siteOf(url)).toBe(site));

  test.each([
    "data:text/html,x",
    "blob:https://shop.test/1",
    "about:blank",
    "about:srcdoc",
    "filesystem:https://shop.test/t/1",
    "file:///etc/passwd",
    "javascript:1",
    "chrome://gpu",
    "",
    "x",
  ])("%s has none", (url) => expect(siteOf(url)).toBeNull());

  test.each([
    ["https://evilshop.test/", "https://shop.test/"],
    ["https://shop.test.evil.test/", "https://shop.test/"],
    ["https://ada.github.io/", "https://bob.github.io/"],
    ["http://127.0.0.1:3000/", "http://127.0.0.1:3001/"],
    ["data:,a", "data:,a"],
  ])("%s and %s differ (A-95)", (one, other) => expect(sameSite(siteOf(one), siteOf(other))).toBe(false));

  test.each([
    ["https://www.shop.test/", "http://shop.test:81/"],
    ["https://BANK.test./", "https://bank.test/"],
  ])("%s and %s are one (A-94)", (one, other) => expect(sameSite(siteOf(one), siteOf(other))).toBe(true));
});

test.each([
  ["shop.test", "shop.test", true],
  ["shop.test", "www.shop.test", true],
  ["shop.test", "evilshop.test", false],
  ["shop.test", "shop.test.evil.test", false],
  ["www.shop.test", "shop.test", false],
  ["127.0.0.1", "127.0.0.1", true],
  ["0.0.1", "127.0.0.1", false],
  ["", "shop.test", false],
  ["shop.test", "", false],
])("hostMatches(%j, %j) is %j", (entry, host, expected) => expect(hostMatches(entry, host)).toBe(expected));
