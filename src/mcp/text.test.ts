import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import type { Envelope, QuestionId, Receipt, Site, TabId } from "../types.ts";
import { envelopeText, jsonLine, oneLine } from "./text.ts";

const tab = "t1" as TabId;
const receipt = "r7" as Receipt;

describe("envelopeText", () => {
  it.each<[string, Envelope, string]>([
    ["nothing to say", { ok: true }, "ok"],
    ["only a receipt", { ok: true, receipt }, "ok\nreceipt: r7"],
    [
      "a page",
      {
        ok: true,
        page: { url: "http://127.0.0.1:8/orders?q=1", title: 'The "Orders"', tab },
        changed: "document",
        snapshot: "main\n  link e1\n",
        receipt,
      },
      'page: "The \\"Orders\\"" http://127.0.0.1:8/orders?q=1 (t1)\nchanged: document\nmain\n  link e1\nreceipt: r7',
    ],
    [
      "an odd address is quoted",
      { ok: true, page: { url: "about:blank\nok", title: "", tab } },
      'page: "" "about:blank\\nok" (t1)',
    ],
    [
      "a refusal",
      {
        ok: false,
        refused: {
          rule: "reach.scheme",
          reason: "Only http and https can be opened",
          remedy: "Open the page's http address.",
        },
        receipt,
      },
      "refused (reach.scheme): Only http and https can be opened. Open the page's http address.\nreceipt: r7",
    ],
    [
      "a refusal with all it can have",
      {
        ok: false,
        refused: {
          rule: "reach.site",
          reason: "Out of reach.",
          remedy: "Stay here.",
          operator: "--allow evil.test",
          site: "evil.test" as Site,
        },
      },
      "refused (reach.site, evil.test): Out of reach. Stay here.\noperator: --allow evil.test",
    ],
    [
      "a failure",
      { ok: false, error: { code: "no_match", message: "0 elements match." } },
      "error (no_match): 0 elements match.",
    ],
    [
      "a question that waits",
      { ok: false, pending: { approval: "a1" as QuestionId, expires_in_s: 300, note: "Nothing was sent yet." } },
      'ok: false\npending: {"approval":"a1","expires_in_s":300,"note":"Nothing was sent yet."}',
    ],
    [
      "events",
      {
        ok: true,
        events: [
          { kind: "dialog", tab: "t1", message: "Sure?\nok", opener: undefined },
          { kind: "odd kind", status: null },
          {},
        ],
      },
      'event: dialog tab="t1" message="Sure?\\nok"\nevent: "odd kind" status=null\nevent: unknown',
    ],
    [
      "fields of a tool",
      { ok: true, value: "Ada", selected: ["Paid"], count: 2, absent: undefined, "two words": true },
      'value: "Ada"\nselected: ["Paid"]\ncount: 2\n"two words": true',
    ],
  ])("%s", (_, envelope, expected) => {
    expect(envelopeText(envelope)).toBe(expected);
  });

  it.each<[string, Envelope]>([
    ["a small change", { ok: true, changed: "content", snapshot: '+ alert "Saved"', receipt }],
    ["no change", { ok: true, changed: "nothing", receipt }],
    [
      "a refusal",
      {
        ok: false,
        refused: {
          rule: "reach.scheme",
          reason: "Only http and https addresses can be opened.",
          remedy: "Open the page's http address.",
        },
        receipt,
      },
    ],
  ])("takes at most two thirds of the tokens of the JSON: %s", (_, envelope) => {
    expect(countTokens(envelopeText(envelope)) / countTokens(JSON.stringify(envelope))).toBeLessThanOrEqual(2 / 3);
  });

  const lineEnds = [
    "\n",
    "\r",
    "\r\n",
    "\v",
    "\f",
    "\u0085",
    "\u2028",
    "\u2029",
    "\u001c",
    '"',
    '\\"',
    "\\",
    "\u202e",
    "\u{e0001}",
    "\ud800",
  ];
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(...lineEnds),
        fc.constantFrom(
          "receipt: r9",
          "ok",
          "error (no_match): x",
          "refused (reach.site): x",
          "changed: nothing",
          "event: dialog",
          " ",
        ),
        fc.string({ unit: "binary", maxLength: 5 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(""));

  const envelopeOf = (words: readonly string[]): Envelope => {
    const word = (index: number): string => words[index] ?? "";
    return {
      ok: false,
      page: { url: word(0), title: word(1), tab },
      changed: "content",
      refused: { rule: "reach.site", reason: word(2), remedy: word(3), operator: word(4), site: word(5) as Site },
      error: { code: "stale", message: word(6) },
      events: [
        { kind: word(7), url: word(8), [word(9)]: word(10) },
        { kind: "dialog", message: word(11) },
      ],
      value: word(12),
      rows: [{ [word(13)]: [word(14)] }],
      receipt,
    };
  };
  const heads = (text: string): string[] =>
    text.split(/[\p{Cc}\p{Zl}\p{Zp}]+/u).map((line) => line.replace(/[: ].*$/su, ""));

  it("keeps one line a thing, whatever a page wrote", () => {
    const expected = ["refused", "operator", "error", "page", "changed", "event", "event", "value", "rows", "receipt"];
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 15, maxLength: 15 }), (words) => {
        const text = envelopeText(envelopeOf(words));
        expect(heads(text)).toEqual(expected);
        expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it("keeps a page's quoted words inside their quotes", () => {
    fc.assert(
      fc.property(hostile, hostile, (title, message) => {
        const [page, event] = envelopeText({
          ok: true,
          page: { url: "http://a.test/", title, tab },
          events: [{ kind: "dialog", message }],
        }).split("\n");
        const quotedTitle = page?.slice("page: ".length, -" http://a.test/ (t1)".length) ?? "";
        const quotedMessage = event?.slice("event: dialog message=".length) ?? "";
        expect([JSON.parse(quotedTitle), JSON.parse(quotedMessage)]).toEqual([title, message]);
      }),
    );
  });
});

describe("jsonLine", () => {
  it("is JSON of the same value, without anything that ends a line", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const line = jsonLine(value) ?? "";
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it("has nothing to say of what is not JSON", () => {
    expect([jsonLine(undefined), jsonLine(() => 1)]).toEqual([null, null]);
  });
});

describe("oneLine", () => {
  it("folds what ends a line", () => {
    expect(oneLine(" a\r\nb\u2028\u202ec ")).toBe("a b c");
  });
});
