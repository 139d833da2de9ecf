import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { masked } from "./masked.ts";
import { MASK, Masking } from "./masking.ts";

const VALUE = "Tr0ub4dor&3 ünique";
const html = (value: string): string => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const FORMS: readonly (readonly [name: string, write: (value: string) => string])[] = [
  ["as it is", (value) => value],
  ["in upper case", (value) => value.toUpperCase()],
  ["with blanks between", (value) => [...value].join(" ")],
  ["a sign a line", (value) => [...value].join("\n")],
  ["in groups", (value) => value.replace(/(.{4})/gu, "$1-")],
  ["backwards", (value) => [...value].toReversed().join("")],
  ["percent-encoded", (value) => encodeURIComponent(value)],
  ["percent-encoded whole", (value) => [...Buffer.from(value)].map((byte) => `%${byte.toString(16)}`).join("")],
  ["for HTML", html],
  ["for HTML, each sign", (value) => [...value].map((sign) => `&#${sign.codePointAt(0)};`).join("")],
  ["in hex", (value) => Buffer.from(value).toString("hex")],
  ["in base64", (value) => Buffer.from(value).toString("base64")],
  ["in base64 behind something", (value) => Buffer.from(`a:${value}`).toString("base64")],
  ["in base64 between", (value) => Buffer.from(`ab${value}cd`).toString("base64url")],
  ["in JSON", (value) => JSON.stringify({ value })],
  ["in the case of another sign that changes its length", (value) => `İ ${value} İ`],
  ["as a form writes it", (value) => new URLSearchParams({ value }).toString()],
  ["percent-encoded in part", (value) => value.replace("4", "%34").replace("b", "%62")],
  [
    "for HTML, with zeros and names",
    (value) => value.replace("&", "&amp;").replace("4", "&#0052;").replace("T", "&#x00054"),
  ],
  ["in hex, in groups", (value) => (Buffer.from(value).toString("hex").match(/../g) ?? []).join(":")],
  [
    "in base64, in groups",
    (value) =>
      (
        Buffer.from(value)
          .toString("base64")
          .match(/.{1,4}/g) ?? []
      ).join(" "),
  ],
  ["backwards in base64", (value) => Buffer.from([...value].toReversed().join("")).toString("base64")],
  ["backwards in hex", (value) => Buffer.from([...value].toReversed().join("")).toString("hex")],
  ["in upper case in base64", (value) => Buffer.from(value.toUpperCase()).toString("base64")],
  ["with blanks in base64", (value) => Buffer.from([...value].join(" ")).toString("base64")],
  ["with accents apart", (value) => value.normalize("NFD")],
];

describe("Masking", () => {
  test.each(FORMS)("takes a value out, %s", (_name, write) => {
    const masking = new Masking();
    masking.note(VALUE);
    const masked = masking.mask(`before ${write(VALUE)} after`);
    expect(masked).toContain(MASK);
    expect(masked).toMatch(/^before .* after$/s);
    expect(masked.toLowerCase()).not.toContain("tr0ub4dor");
  });

  test("whatever the value: none of its forms stays whole", () => {
    const word = fc
      .string({ minLength: 6, maxLength: 30 })
      .filter((value) => value.trim().length >= 6 && value.trim() === value);
    fc.assert(
      fc.property(word, fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (value, before, after) => {
        const masking = new Masking();
        masking.note(value);
        for (const form of [
          value,
          value.toLowerCase(),
          Buffer.from(value).toString("hex"),
          [...value].toReversed().join(""),
        ])
          expect(masking.holds(`${before}${form}${after}`)).toBe(true);
      }),
    );
  });

  test.each(["order 4711 of today", "Troubadour", "r0ub4", "the three uniques"])("leaves %j as it is", (text) => {
    const masking = new Masking();
    masking.note(VALUE);
    expect(masking.mask(text)).toBe(text);
  });

  test.each([
    [["Tr0ub", "4dor", "&3 unique"]],
    [["first Tr0ub", "4dor", "&3 unique last"]],
    [["- Tr0ub", "- 4dor", "- &3 uniq", "- ue"]],
    [["", "Tr0ub4", "", "dor&3 unique"]],
    [["TR0UB4", "DOR-3-UN", "IQUE"]],
    [["euqinu 3&", "rod4bu0rT"]],
  ])("a value that is spread over several texts, %j", (texts) => {
    const masking = new Masking();
    masking.note("Tr0ub4dor&3 unique");
    const found = masking.maskAll(["before", ...texts, "after"]);
    expect(found).toHaveLength(texts.length + 2);
    expect([found[0], found.at(-1)]).toEqual(["before", "after"]);
    expect(found.join("")).not.toMatch(/r0u|4do|uni|iqu|euq|rod/i);
  });

  test("however it is cut, no two signs of it are left in a row, and nothing else is lost", () => {
    const masking = new Masking();
    masking.note(VALUE);
    const cuts = fc.array(fc.integer({ min: 1, max: VALUE.length - 1 }), { maxLength: 5 });
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...new Set(places)].toSorted((a, b) => a - b);
        const pieces = [...ends, VALUE.length].map((end, at) => VALUE.slice(ends[at - 1] ?? 0, end));
        const found = masking.maskAll(["Order 12", ...pieces, "of today"]);
        expect(found.map((text) => text.replaceAll(MASK, ""))).toEqual([
          "Order 12",
          ...pieces.map(() => ""),
          "of today",
        ]);
      }),
    );
  });

  test("texts without it stay as they are", () => {
    const masking = new Masking();
    masking.note("Tr0ub4dor&3 unique");
    const texts = ["Tr0ub", "a quite long text without any of it", "4dor&3 unique"];
    expect(masking.maskAll(texts)).toEqual(texts);
  });

  test("entries of a list: what stands at the same place in each", () => {
    const masking = new Masking();
    masking.note("Tr0ub4dor&3 unique");
    const list = ["Tr0ub4", "dor&3", " unique"].map((message) => ({ level: "log", message }));
    const found = masked({ title: "lines", list }, (texts) => masking.maskAll(texts));
    expect(found).toEqual({ title: "lines", list: list.map(() => ({ level: "log", message: MASK })) });
  });

  test("short values are unknown, and only the newest are kept", () => {
    const masking = new Masking();
    masking.note("12345");
    expect(masking.size).toBe(0);
    for (let at = 0; at < 300; at++) masking.note(`value-${at}-value`);
    expect(masking.size).toBe(200);
    expect(masking.mask("value-299-value")).toBe(MASK);
  });

  test("bytes as scripts write them", () => {
    const masking = new Masking();
    masking.note("Tr0ub4dor&3 unique");
    const bytes = Array.from(Buffer.from("Tr0ub4dor&3 unique"), (byte) => `0x${byte.toString(16)}`).join(", ");
    expect(masking.mask(`[${bytes}]`)).toContain(MASK);
    expect(masking.mask(`[${bytes}]`)).not.toContain("0x75");
  });

  test("no page pushes out what the agent typed", () => {
    const masking = new Masking();
    masking.note(VALUE, true);
    for (let at = 0; at < 300; at++) masking.note(`value-${at}-value`);
    expect([masking.size, masking.mask(VALUE)]).toEqual([201, MASK]);
  });

  test("a very long value is taken out whole, whatever follows it", () => {
    const value = Array.from({ length: 3_000 }, (_, at) => (at * 7_919).toString(36)).join("");
    const masking = new Masking();
    masking.note(value);
    expect(value.length).toBeGreaterThan(8_000);
    expect(masking.mask(`before ${value} after`).replaceAll(MASK, "")).toBe("before  after");
    masking.note("a".repeat(200_000));
    expect(masking.mask(`before ${"a".repeat(5_000)} then`).replaceAll(MASK, "")).toBe("before  then");
  });

  test("values that repeat themselves are few, and cost a page no time squared", () => {
    const masking = new Masking();
    for (let at = 0; at < 200; at++) masking.note("a".repeat(2_000 + at));
    for (let at = 0; at < 200; at++) masking.note("ab".repeat(1_000 + at));
    expect(masking.size).toBe(2);
    const start = process.cpuUsage();
    expect(masking.mask("ab".repeat(50_000))).toBe(MASK);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
  });

  test("nor do many texts that repeat one", () => {
    const masking = new Masking();
    masking.note("a".repeat(20));
    const texts = Array.from({ length: 5_000 }, () => "a".repeat(100));
    const start = process.cpuUsage();
    expect(new Set(masking.maskAll(texts))).toEqual(new Set([MASK]));
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(2_000);
  });

  test("what fields of a site held, whatever else pages fill in", () => {
    const masking = new Masking();
    masking.note(VALUE, true, "shop.test");
    for (let at = 0; at < 300; at++) masking.note(`value-${at}-value`, false, "ads.test");
    const { version } = masking;
    masking.note(VALUE, true, "shop.test");
    expect([masking.valuesOf("shop.test"), masking.valuesOf("ads.test").length, masking.version]).toEqual([
      [VALUE],
      200,
      version,
    ]);
    masking.note(VALUE, false, "pay.test");
    expect([masking.valuesOf("pay.test"), masking.version]).toEqual([[VALUE], version + 1]);
  });

  test("what repeats itself in part is found whole", () => {
    const word = fc.tuple(fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom("a", "b", "1") }), fc.nat(60));
    fc.assert(
      fc.property(word, ([unit, times]) => {
        const value = unit.repeat(times + 8);
        const masking = new Masking();
        masking.note(value);
        expect(masking.mask(`x ${value} y`).replaceAll(MASK, "").length).toBeLessThan(4 + unit.length);
      }),
    );
  });

  test("is quick on long texts", () => {
    const masking = new Masking();
    for (let at = 0; at < 20; at++) masking.note(`secret-number-${at}`);
    const text = "Ordinary words of a page, with figures 1 2 3. ".repeat(2_000);
    expect(masking.mask(text)).toBe(text);
  });
});
