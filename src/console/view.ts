import type { Choice, Question } from "../types.ts";
import { MOST_RECENT_LINES } from "./limits.ts";
import type { Done, Outcome } from "./questions.ts";
import type { ConsoleStatus, OpenView, View } from "./shape.ts";

const ORDER: readonly Choice[] = ["no", "once", "form", "task"];
const WORDS: Readonly<Record<Choice, string>> = {
  no: "No",
  once: "Yes, once",
  form: "Yes, this form",
  task: "Yes, for this task",
};

export function viewOf(
  title: string,
  status: ConsoleStatus,
  open: readonly Question[],
  done: readonly Done[],
  now: number,
): View {
  return {
    title: visible(title),
    status: {
      mode: visible(status.mode),
      profile: visible(status.profile),
      sites: status.sites.map(visible),
      recent: status.recent.slice(-MOST_RECENT_LINES).map(visible),
    },
    open: open.map((question) => openView(question, now)),
    done: done.map(({ question, outcome }) => ({
      name: nameOf(question),
      lines: question.lines.map(visible),
      outcome: outcomeWords(outcome),
    })),
  };
}

function openView(question: Question, now: number): OpenView {
  const { id, digest, lines, choices, means, code, expires } = question;
  const offered = ORDER.filter((choice) => choice === "no" || choices.includes(choice));
  return {
    id,
    digest,
    name: nameOf(question),
    lines: lines.map(visible),
    choices: offered.map((choice) => ({ choice, word: WORDS[choice], means: visible(means[choice] ?? "") })),
    code,
    leftMs: Math.max(0, expires - now),
  };
}

function nameOf({ id, effect }: Question): string {
  switch (effect) {
    case "irreversible":
      return visible(`Question ${id}: cannot be undone`);
    case "reversible":
      return visible(`Question ${id}: can be undone`);
    case "unknown":
      return visible(`Question ${id}: perhaps cannot be undone`);
    case "none":
      return visible(`Question ${id}`);
  }
}

function outcomeWords(outcome: Outcome): string {
  switch (outcome.how) {
    case "answered":
      return `Answered here: ${WORDS[outcome.answer]}`;
    case "elsewhere":
      return "Answered elsewhere";
    case "late":
      return "Too late";
    case "wrong_codes":
      return "Too many wrong codes: not answered here";
    case "ended":
      return "The session ended";
  }
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

/**
 * Lines come escaped; what can move, hide or break text is made visible once more, so that the page need not trust
 * that.
 */
function visible(text: string): string {
  return text.replaceAll(
    INVISIBLE,
    (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );
}
