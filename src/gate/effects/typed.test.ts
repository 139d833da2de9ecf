import { describe, expect, test } from "vitest";
import { cpuTime } from "../../../test/cpu-time.ts";
import { describeEffect } from "./describe.ts";
import type { EffectFacts } from "./facts.ts";
import { bodyOf, FETCH, FORM, JSON_TYPE } from "./request.fixture.ts";
import { mayHoldTyped } from "./typed.ts";

function holds(value: string, facts: Partial<EffectFacts>): boolean {
  return mayHoldTyped(describeEffect({ ...FETCH, url: "https://shop.test/items", ...facts }), [value]);
}

const SECRET = "Grüne Kanne 7/b";
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a value is found", () => {
  test.each<[string, Partial<EffectFacts>]>([
    ["in a form", { body: bodyOf(FORM, new URLSearchParams({ a: SECRET }).toString()) }],
    ["in JSON", { body: bodyOf(JSON_TYPE, JSON.stringify({ a: { b: [`x ${SECRET} y`] } })) }],
    ["escaped in JSON", { body: bodyOf(JSON_TYPE, `{"a":"Gr\\u00fcne Kanne 7\\/b"}`) }],
    ["as a key", { body: bodyOf(JSON_TYPE, JSON.stringify({ [SECRET]: 1 })) }],
    [
      "in JSON in JSON",
      { body: bodyOf(JSON_TYPE, JSON.stringify({ a: JSON.stringify({ b: `Gr\\u00fcne Kanne 7/b` }) })) },
    ],
    ["in text", { body: bodyOf("text/plain", `x\n${SECRET}`) }],
    [
      "in a multipart form",
      {
        body: bodyOf(
          "multipart/form-data; boundary=b",
          `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${SECRET}\r\n--b--\r\n`,
        ),
      },
    ],
    ["in the query", { url: `https://shop.test/items?q=${encodeURIComponent(SECRET)}` }],
    [
      "in the query, twice encoded",
      { url: `https://shop.test/items?q=${encodeURIComponent(encodeURIComponent(SECRET))}` },
    ],
    ["in the path", { url: `https://shop.test/items/${encodeURIComponent(SECRET)}` }],
    ["as a host name", { url: "https://grunekanne7b.shop.test/" }],
    ["in a header", { headers: { "X-Note": SECRET } }],
    ["in base64", { body: bodyOf(FORM, new URLSearchParams({ a: base64(SECRET) }).toString()) }],
    ["in base64 behind one sign", { body: bodyOf(FORM, new URLSearchParams({ a: base64(`x${SECRET}y`) }).toString()) }],
    [
      "in base64 behind two signs",
      { body: bodyOf(FORM, new URLSearchParams({ a: base64(`xx${SECRET}yy`) }).toString()) },
    ],
    [
      "in base64 for addresses",
      { url: `https://shop.test/?q=${Buffer.from(`???${SECRET}???`).toString("base64url")}` },
    ],
    ["in hex", { body: bodyOf(FORM, `a=${Buffer.from(SECRET).toString("hex")}`) }],
    ["in capitals", { body: bodyOf(FORM, new URLSearchParams({ a: SECRET.toUpperCase() }).toString()) }],
    ["without accents", { body: bodyOf(FORM, "a=grune+kanne+7%2Fb") }],
    ["without punctuation", { body: bodyOf(FORM, "a=gruene-grune-kanne-7-b") }],
    ["perhaps, in what cannot be inspected", { body: bodyOf("application/octet-stream", "x") }],
    ["perhaps, in a stream", { body: { kind: "opaque", contentType: FORM, knownBytes: 0 } }],
    ["perhaps, in text that is too long", { body: bodyOf("text/plain", "x".repeat(2_000_000)) }],
    [
      "as the name of a file, beside what cannot be inspected",
      {
        body: bodyOf(
          "multipart/form-data; boundary=b",
          `--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\n\r\n--b--\r\n`,
        ),
      },
    ],
  ])("%s", (_what, facts) => expect(holds(SECRET, facts)).toBe(true));

  test("however short it is", () => {
    expect(holds("2", { body: bodyOf(FORM, "qty=2") })).toBe(true);
    expect(holds("-", { body: bodyOf(FORM, "qty=-") })).toBe(true);
    expect(holds(" ", { body: bodyOf(FORM, "qty=+") })).toBe(true);
    expect(holds("1,000.50", { body: bodyOf(JSON_TYPE, '{"amount":1000.50}') })).toBe(true);
  });
});

describe("a value is not found", () => {
  test.each<[string, Partial<EffectFacts>]>([
    ["where it is not", { body: bodyOf(JSON_TYPE, '{"at":1,"note":"a red kettle"}') }],
    [
      "in cookies and other headers of the browser",
      { headers: { Cookie: SECRET, Referer: SECRET, "User-Agent": SECRET, "Sec-CH-UA": SECRET } },
    ],
  ])("%s", (_what, facts) => expect(holds(SECRET, facts)).toBe(false));

  test("when it is empty", () => expect(holds("", { body: bodyOf("application/octet-stream", "x") })).toBe(false));
  test("when there is none", () => expect(mayHoldTyped(describeEffect(FETCH), [])).toBe(false));
});

test("many values in a long body: the answer is yes, not late", () => {
  const described = describeEffect({ ...FETCH, body: bodyOf("text/plain", "x".repeat(1_000_000)) });
  const spentMs = cpuTime();
  expect(
    mayHoldTyped(
      described,
      Array.from({ length: 500 }, (_, index) => `value ${index}`),
    ),
  ).toBe(true);
  expect(spentMs()).toBeLessThan(1_000);
});
