import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { named, nearest, shown } from "./words.ts";

describe("nearest", () => {
  const known = ["private", "browser.path", "browser.headless", "maxContentTokens", "--headed", "CHAPERONE_PRIVATE"];
  it.each([
    ["privat", "private"],
    ["Private", "private"],
    ["pirvate", "private"],
    ["max-content-tokens", "maxContentTokens"],
    ["max_contnet_tokens", "maxContentTokens"],
    ["path", "browser.path"],
    ["browser.pth", "browser.path"],
    ["brwoser.path", "browser.path"],
    ["CHAPERONE_PRIVAT", "CHAPERONE_PRIVATE"],
    ["browser.__proto__", null],
    ["allow", null],
    ["", null],
    ["x", null],
    ["x".repeat(1_000_000), null],
  ])("%.40s → %s", (written, meant) => expect(nearest(written, known)).toBe(meant));

  it("finds every known name with one letter missing, and nothing else than known names", () => {
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.nat(), (name, at) => {
        const index = at % name.length;
        expect(known).toContain(nearest(name.slice(0, index) + name.slice(index + 1), known));
      }),
    );
    fc.assert(fc.property(fc.string(), (written) => void expect([...known, null]).toContain(nearest(written, known))));
  });
});

describe("what an error shows", () => {
  it("is one short line without the user-info of addresses, whatever the value", () => {
    expect(shown("http://ada:pw@x/")).toBe('"http://…@x/"');
    expect(shown(null)).toBe("null");
    expect(shown({ a: 1 })).toBe("an object");
    fc.assert(
      fc.property(
        fc.oneof(fc.anything({ withBigInt: true }), fc.string({ unit: "binary", maxLength: 200 })),
        (value) => {
          for (const text of [shown(value), named(String(typeof value === "string" ? value : typeof value))]) {
            expect(text).not.toMatch(/[\p{Cc}]/u);
            expect(text.length).toBeLessThan(500);
          }
        },
      ),
    );
  });
});
