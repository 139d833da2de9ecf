import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { Answer, Choice, Question } from "../types.ts";

/** Nobody reads a question and answers it in this time: a program did (MC-7). */
const FASTEST_PERSON_MS = 300;
const LONGEST_CODE_CHARACTERS = 100;

const ordinaryNames: Readonly<Record<Choice, string>> = {
  no: "No",
  once: "Once",
  form: "This form",
  task: "This task",
};

/**
 * A question as a form of one choice, plain JSON: "no" stands first and is what is chosen already; a code is asked for
 * where one must be typed.
 */
export function formOf(question: Question): ElicitRequestFormParams {
  const choices: Choice[] = ["no", ...question.choices.filter((choice) => choice !== "no")];
  const code = {
    type: "string",
    title: "Code",
    description: `For any answer but no, type ${question.code}`,
    maxLength: LONGEST_CODE_CHARACTERS,
  } as const;
  return {
    mode: "form",
    message: question.lines.join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        // The older way to write titles: clients of all revisions know it.
        answer: {
          type: "string",
          title: "Answer",
          enum: choices,
          enumNames: choices.map((choice) => question.means[choice] ?? ordinaryNames[choice]),
          default: "no",
        },
        ...(question.code === null ? {} : { code }),
      },
      required: ["answer"],
    },
  };
}

/**
 * What a client's response says, `afterMs` after the question was sent. Null: no person's answer, so the channel is not
 * available; never a no. Total.
 */
export function answerIn(question: Question, response: unknown, afterMs: number): Answer | null {
  if (!(afterMs >= FASTEST_PERSON_MS) || !isObject(response)) return null;
  if (response.action === "decline") return { answer: "no" };
  if (response.action !== "accept" || !isObject(response.content)) return null;
  const { answer, code } = response.content;
  const choice = question.choices.find((offered) => offered === answer);
  if (choice === undefined) return null;
  return typeof code === "string" && code.length <= LONGEST_CODE_CHARACTERS
    ? { answer: choice, code }
    : { answer: choice };
}

/** Whether a client said that it can show a form; naming no way at all means forms. */
export function showsForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined;
  return isObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
