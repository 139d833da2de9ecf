import type { Answer, Approver, Question } from "../types.ts";

/**
 * The library's `approve`: code of the operator, which is asked like a channel. An exception means that it is not
 * available. `signal`: not needed any more.
 */
export function callbackApprover(
  approve: (question: Question, signal: AbortSignal) => Promise<Pick<Answer, "answer">>,
): Approver {
  return {
    name: "callback",
    person: false,
    unsure: false,
    async ask(question, signal) {
      if (signal.aborted) return null;
      try {
        const given: unknown = await approve(question, signal);
        return isAnswer(given, question) ? { answer: given.answer } : null;
      } catch {
        return null;
      }
    },
  };
}

function isAnswer(given: unknown, { choices }: Question): given is Pick<Answer, "answer"> {
  if (typeof given !== "object" || given === null || !("answer" in given)) return false;
  const { answer } = given;
  return answer === "no" || choices.some((choice) => choice === answer);
}
