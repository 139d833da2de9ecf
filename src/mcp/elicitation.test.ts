import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { questionOf } from "./asking.fixture.ts";
import { answerIn, formOf, showsForms } from "./elicitation.ts";

const PERSON_MS = 2_000;

describe("formOf", () => {
  it("shows the lines as they are, no first and chosen already", () => {
    expect(formOf(questionOf())).toEqual({
      mode: "form",
      message: 'POST https://desk.test/status\nstatus: "closed" (typed by the agent)',
      requestedSchema: {
        type: "object",
        properties: {
          answer: {
            type: "string",
            title: "Answer",
            enum: ["no", "once", "form"],
            enumNames: ["Do not send it", "Send it", "Send it and the next steps of this form"],
            default: "no",
          },
        },
        required: ["answer"],
      },
    });
  });

  it("asks for the code where one must be typed, and does not demand it for a no", () => {
    const { requestedSchema } = formOf(questionOf({ code: "4711", choices: ["once", "no"], means: {} }));
    expect(requestedSchema.properties).toMatchObject({
      answer: { enumNames: ["No", "Once"] },
      code: { type: "string" },
    });
    expect(JSON.stringify(requestedSchema.properties.code)).toContain("4711");
    expect(requestedSchema.required).toEqual(["answer"]);
  });
});

describe("answerIn", () => {
  const accept = (content: unknown) => ({ action: "accept", content });
  it.each([
    ["a yes", accept({ answer: "once" }), PERSON_MS, { answer: "once" }],
    ["a no", accept({ answer: "no" }), PERSON_MS, { answer: "no" }],
    ["a yes with a code", accept({ answer: "once", code: "4711" }), PERSON_MS, { answer: "once", code: "4711" }],
    ["a yes at the limit", accept({ answer: "once" }), 300, { answer: "once" }],
    ["a decline", { action: "decline" }, PERSON_MS, { answer: "no" }],
    ["an automatic yes", accept({ answer: "once" }), 299, null],
    ["an automatic no", accept({ answer: "no" }), 299, null],
    ["an automatic decline", { action: "decline" }, 299, null],
    ["a clock that stands", accept({ answer: "once" }), Number.NaN, null],
    ["a cancel", { action: "cancel" }, PERSON_MS, null],
    ["a choice that was not offered", accept({ answer: "task" }), PERSON_MS, null],
    ["a choice by another name", accept({ answer: "Send it" }), PERSON_MS, null],
    ["a list of choices", accept({ answer: ["once"] }), PERSON_MS, null],
    ["no choice", accept({}), PERSON_MS, null],
    ["no content", { action: "accept" }, PERSON_MS, null],
    ["an unknown action", { action: "yes", content: { answer: "once" } }, PERSON_MS, null],
    ["nothing", undefined, PERSON_MS, null],
    ["a list", [accept({ answer: "once" })], PERSON_MS, null],
    ["a code that is no text", accept({ answer: "once", code: 4711 }), PERSON_MS, { answer: "once" }],
    ["a code of a megabyte", accept({ answer: "once", code: "4".repeat(1_000_000) }), PERSON_MS, { answer: "once" }],
  ])("%s", (_, response, afterMs, answer) => {
    expect(answerIn(questionOf(), response, afterMs)).toEqual(answer);
  });

  it("never takes anything but what was offered, and never throws", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.double(), (action, content, afterMs) => {
        for (const response of [action, { action, content }, accept(content)]) {
          const answer = answerIn(questionOf(), response, afterMs)?.answer;
          expect([undefined, "no", "once", "form"]).toContain(answer);
          if (afterMs < 300) expect(answer).toBe(undefined);
        }
      }),
    );
  });
});

describe("showsForms", () => {
  it.each([
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: true }, false],
    [{}, false],
    [undefined, false],
    ["elicitation", false],
  ])("%j: %s", (capabilities, shows) => {
    expect(showsForms(capabilities)).toBe(shows);
  });
});
