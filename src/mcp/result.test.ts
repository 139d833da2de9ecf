import { describe, expect, it } from "vitest";
import type { Envelope, QuestionId, Receipt } from "../types.ts";
import { callToolResult, RESULTS_MODES } from "./result.ts";

const fine: Envelope = { ok: true, changed: "nothing", receipt: "r1" as Receipt };
const refused: Envelope = { ok: false, refused: { rule: "reach.scheme", reason: "No.", remedy: "Stay." } };
const failed: Envelope = { ok: false, error: { code: "stale", message: "Gone." } };
const pending: Envelope = {
  ok: false,
  pending: { approval: "a1" as QuestionId, expires_in_s: 9, note: "Nothing was sent yet." },
};
const text = (words: string) => ({ type: "text", text: words });
const shot = { bytes: new Uint8Array([1, 2, 3]), mimeType: "image/png" } as const;
const picture = { type: "image", data: "AQID", mimeType: "image/png" };

describe("callToolResult", () => {
  it.each([
    ["both", fine, { content: [text("changed: nothing\nreceipt: r1")], structuredContent: fine }],
    ["text", fine, { content: [text("changed: nothing\nreceipt: r1")] }],
    ["structured", fine, { content: [], structuredContent: fine }],
    [
      "both",
      refused,
      { content: [text("refused (reach.scheme): No. Stay.")], structuredContent: refused, isError: true },
    ],
    ["text", refused, { content: [text("refused (reach.scheme): No. Stay.")], isError: true }],
    [
      "structured",
      refused,
      { content: [text("refused (reach.scheme): No. Stay.")], structuredContent: refused, isError: true },
    ],
    ["structured", failed, { content: [text("error (stale): Gone.")], structuredContent: failed, isError: true }],
    ["structured", pending, { content: [], structuredContent: pending }],
    [
      "text",
      pending,
      { content: [text('ok: false\npending: {"approval":"a1","expires_in_s":9,"note":"Nothing was sent yet."}')] },
    ],
  ] as const)("%s: %j", (mode, envelope, expected) => {
    expect(callToolResult({ envelope }, { mode, promisedStructure: true })).toEqual(expected);
  });

  it.each(RESULTS_MODES)("an image comes with its note and nothing beside it (%s)", (mode) => {
    const envelope: Envelope = { ok: true, note: "2 secrets painted over" };
    expect(callToolResult({ envelope, image: shot }, { mode, promisedStructure: false })).toEqual({
      content: [picture, text('note: "2 secrets painted over"')],
    });
  });

  it("keeps the structure beside an image where an output schema promised it", () => {
    expect(callToolResult({ envelope: fine, image: shot }, { mode: "both", promisedStructure: true })).toMatchObject({
      structuredContent: fine,
    });
    expect(
      callToolResult({ envelope: fine, image: shot }, { mode: "text", promisedStructure: true }),
    ).not.toHaveProperty("structuredContent");
  });
});
