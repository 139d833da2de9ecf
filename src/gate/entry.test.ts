import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blocks, containsEntry, covers, entryText, parseSite } from "./entry.ts";
import { type CanonicalUrl, canonicalUrl } from "./sites.ts";

function place(url: string): CanonicalUrl {
  const parsed = canonicalUrl(url);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed;
}

describe("covers", () => {
  test.each<[string, string, boolean]>([
    ["shop.test", "https://shop.test/", true],
    ["shop.test", "http://shop.test/", true],
    ["shop.test", "wss://shop.test/", true],
    ["shop.test", "https://a.b.shop.test/", true],
    ["shop.test", "https://SHOP.test./", true],
    ["bücher.test", "https://xn--bcher-kva.test/", true],
    ["xn--bcher-kva.test", "https://bücher.test/", true],
    ["shop.test", "https://evilshop.test/", false],
    ["shop.test", "https://shop.test.evil.test/", false],
    ["www.shop.test", "https://shop.test/", false],
    ["shop.test", "https://shop.test:8443/", false],
    ["shop.test:8443", "https://shop.test:8443/", true],
    ["shop.test:8443", "https://shop.test/", false],
    ["shop.test:443", "https://shop.test/", true],
    ["shop.test:443", "http://shop.test/", false],
    ["https://shop.test", "https://shop.test/", true],
    ["https://shop.test", "http://shop.test/", false],
    ["https://shop.test", "wss://x.shop.test/", true],
    ["http://shop.test", "http://shop.test:443/", false],
    ["1.1.1.1", "https://1.1.1.1/", true],
    ["1.1.1.1", "https://x.1.1.1.1.test/", false],
    ["[2606:4700:4700::1111]", "https://[2606:4700:4700:0::1111]/", true],
  ])("%s, %s: %j", (entry, url, expected) => expect(covers(parseSite(entry, "allow"), place(url))).toBe(expected));

  test("without subdomains the host alone", () => {
    expect(covers(parseSite("shop.test", "allow", false), place("https://shop.test/"))).toBe(true);
    expect(covers(parseSite("shop.test", "allow", false), place("https://www.shop.test/"))).toBe(false);
  });

  test("a block without a port means every port", () => {
    expect(blocks(parseSite("shop.test", "block"), place("https://x.shop.test:8443/"))).toBe(true);
    expect(blocks(parseSite("shop.test:8443", "block"), place("https://shop.test/"))).toBe(false);
    expect(blocks(parseSite("com", "block"), place("https://shop.com/"))).toBe(true);
  });
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const entry = fc.tuple(
  fc.constantFrom("", "http://", "https://"),
  fc.array(label, { minLength: 1, maxLength: 3 }),
  fc.constantFrom("", ":80", ":443", ":8443"),
);

test("what one entry contains, it covers", () => {
  fc.assert(
    fc.property(
      entry,
      entry,
      fc.constantFrom("http", "https"),
      fc.constantFrom("", ":80", ":443", ":8443"),
      ([s1, l1, p1], [s2, l2, p2], scheme, port) => {
        const wide = parseSite(`${s1}${l1.slice(-2).join(".")}.test${p1}`, "allow");
        const narrow = parseSite(`${s2}${[...l2, ...l1.slice(-2)].join(".")}.test${p2}`, "allow");
        const there = place(`${scheme}://${narrow.host}${port}/`);
        if (containsEntry(wide, narrow) && covers(narrow, there)) expect(covers(wide, there)).toBe(true);
        expect(parseSite(entryText(narrow), "allow")).toEqual(narrow);
      },
    ),
  );
});

test("any text is an entry or an error that names it on one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      try {
        const parsed = parseSite(text, "allow");
        expect(parsed.host).toMatch(/^[a-z0-9._\-[\]:!$&'()*+,;=~`{}^|"]+$/);
      } catch (error) {
        expect(String(error)).toMatch(/^Error: allow: ".*"? .*shop\.test/su);
      }
    }),
  );
});
