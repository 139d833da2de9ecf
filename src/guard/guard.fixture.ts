import { createQueue } from "../approval/index.ts";
import { type EffectsSettings, effectsPolicy, type ReachSettings, reachPolicy } from "../gate/index.ts";
import { type DecisionLog, type DecisionRecord, openDecisionLog } from "../ledger/log.ts";
import type { Answer, Approver, Choice, Question, Site, Verdict } from "../types.ts";
import { createGuard } from "./guard.ts";
import type { Guard } from "./monitor.ts";
import type { RuleHook } from "./rule.ts";

const QUESTION_MS = 120_000;

export interface GuardTerms {
  readonly reach: ReachSettings;
  readonly rule?: RuleHook | undefined;
  readonly log?: DecisionLog | undefined;
  readonly profile?: "observe" | "guarded" | "strict" | undefined;
  readonly mode?: "read" | "act" | undefined;
  readonly effects?: EffectsSettings | undefined;
  readonly privateSites?: readonly Site[] | undefined;
  /** Whether there is somebody who can be asked. */
  readonly approver?: boolean | undefined;
}

export interface GuardAtHand {
  readonly guard: Guard;
  readonly records: () => readonly DecisionRecord[];
  /** All that was asked, oldest first. */
  readonly asked: readonly Question[];
  /** Answers the oldest question that waits, and resolves when its answer has had its effects. */
  readonly answer: (choice: Choice) => Promise<void>;
  /** How many questions wait. */
  readonly waiting: () => number;
  /** Runs what waits for time to pass. */
  readonly elapse: () => void;
}

/**
 * A guard whose clock stands still, whose timers run when the test says so, and whose approver answers what the test
 * says.
 */
export function guardAtHand(terms: GuardTerms): GuardAtHand {
  const { rule, profile = "guarded", mode = "act" } = terms;
  const log = terms.log ?? openDecisionLog({ clock: () => 0, newId: () => "s" });
  const asked: Question[] = [];
  const waiting: { readonly question: Question; readonly resolve: (answer: Answer) => void }[] = [];
  const timers: (() => void)[] = [];
  const approver: Approver = {
    name: "callback",
    person: false,
    unsure: false,
    ask: (question) =>
      new Promise((resolve) => {
        asked.push(question);
        waiting.push({ question, resolve });
      }),
  };
  const guard = createGuard({
    reach: reachPolicy(terms.reach),
    effects: effectsPolicy(terms.effects),
    mode,
    profile,
    privateSites: new Set(terms.privateSites),
    rule,
    task: terms.reach.task ?? "",
    log,
    queue: createQueue({
      approvers: terms.approver === true ? [approver] : [],
      clock: () => 0,
      setTimer: () => () => {},
    }),
    sessionId: "s",
    questionMs: QUESTION_MS,
    mask: (texts) => texts,
    newCode: () => "1234",
    clock: () => 0,
    setTimer: (work) => void timers.push(work),
  });
  return {
    guard,
    records: () => log.recent(),
    asked,
    waiting: () => waiting.length,
    async answer(choice) {
      const oldest = waiting.shift();
      if (oldest === undefined) throw new Error("nobody was asked");
      oldest.resolve({ answer: choice });
      await guard.question(oldest.question.id)?.answered;
    },
    elapse() {
      for (const work of timers.splice(0)) work();
    },
  };
}

/** Of a request that nobody is asked about: its verdict, which has to be there at once. */
export function atOnce(verdict: Verdict | Promise<Verdict>): Verdict {
  if (verdict instanceof Promise) throw new Error("held");
  return verdict;
}
