import { describe, expect, test } from "vitest";
import { count, oneLine, plainOr, quoted } from "./escape.ts";
import { wrapped } from "./wrap.ts";

describe("words on one line", () => {
  test.each([
    ["plain", '"plain"'],
    ["", '""'],
    ['say "yes"\\', '"say \\"yes\\"\\\\"'],
    ["x\u201d site: shop.test", '"x\\u201d site: shop.test"'],
    ["\u201cx\u201e\uff02\u2033\u3003\uff3c", '"\\u201cx\\u201e\\uff02\\u2033\\u3003\\uff3c"'],
    ["it\u2019s", '"it\u2019s"'],
    ["a\nb\r\tc", '"a\\nb\\r\\tc"'],
    ["\u001b[31mred\u009b2J\u0007", '"\\u001b[31mred\\u009b2J\\u0007"'],
    ["a\u202eb\u2066c\u200ed", '"a\\u202eb\\u2066c\\u200ed"'],
    ["a\u200bb\u200dc\ufeffd\u00ade", '"a\\u200bb\\u200dc\\ufeffd\\u00ade"'],
    ["a\u2028b\u2029c", '"a\\u2028b\\u2029c"'],
    ["\ud800x\udc00", '"\\ud800x\\udc00"'],
    ["\u{e0041}", '"\\udb40\\udc41"'],
    ["\u3164\u2800\ue000", '"\\u3164\\u2800\\ue000"'],
    ["한국어 🙂 Bücher", '"한국어 🙂 Bücher"'],
    ["e\u0301", '"e\u0301"'],
    ["\u0301", '"\\u0301"'],
    ["e\u0301\u0301\u0301\u0301", '"e\u0301\u0301\u0301\\u0301"'],
    ["a  b    c", '"a  b  \\u0020\\u0020c"'],
    ["1\u00a0000", '"1\u00a0000"'],
    ["שלום", '"שלום" (written right to left)'],
  ])("%j", (text, line) => expect(quoted(text, 120)).toEqual({ line, cut: false }));

  test("what is cut is counted, and its end is shown", () => {
    const text = `${"a".repeat(4_300)}the end 1234`;
    expect(quoted(text, 120)).toEqual({
      line: `"${"a".repeat(120)}" (shown 120 of 4,312 characters, ends with "aaaaaaaathe end 1234")`,
      cut: true,
    });
    expect(quoted("\u0000".repeat(40), 120).line).toBe(
      `"${"\\u0000".repeat(20)}" (shown 20 of 40 characters, ends with "${"\\u0000".repeat(20)}")`,
    );
    expect(quoted("🙂".repeat(20), 5).line).toBe(`"🙂🙂" (shown 4 of 40 characters, ends with "${"🙂".repeat(10)}")`);
    expect(quoted(`x${"🙂".repeat(20)}y`, 3).line).toBe(
      `"x🙂" (shown 3 of 42 characters, ends with "${"🙂".repeat(9)}y")`,
    );
  });

  test("a line of ours stays as it is, without what cannot be seen", () => {
    expect(oneLine('field: "a\\n" = "b"', 100)).toBe('field: "a\\n" = "b"');
    expect(oneLine("a\u001b[31m\nb", 100)).toBe("a\\u001b[31m\\nb");
    expect(oneLine("abcdef", 3)).toBe("abc… (shown 3 of 6 characters)");
  });

  test("words of ours are bare, all others in quotes", () => {
    expect(plainOr("POST", /^[A-Z]+$/, 20)).toBe("POST");
    expect(plainOr("POST\nsite: x", /^[A-Z]+$/, 20)).toBe('"POST\\nsite: x"');
    expect(plainOr("P".repeat(30), /^[A-Z]+$/, 20)).toMatch(/^"P{20}" \(shown 20 of 30/);
  });

  test.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1,000"],
    [12_345_678, "12,345,678"],
  ])("%d", (number, text) => expect(count(number)).toBe(text));
});

describe("rows of a terminal", () => {
  test("what a long line goes on with never starts a row", () => {
    const rows = wrapped(`field: "${"x".repeat(30)}site: shop.test"`, 40);
    expect(rows).toEqual([`- field: "${"x".repeat(29)}`, '    | xsite: shop.test"']);
    expect(wrapped("short", 80)).toEqual(["- short"]);
    for (const columns of [0, -1, 40, 41])
      for (const row of wrapped("漢".repeat(100), columns)) expect(row.length).toBeLessThan(40);
  });
});
