import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallId, QuestionId, Receipt, Site } from "../types.ts";
import { type DecisionEntry, type DecisionLog, openDecisionLog } from "./log.ts";
import type { LedgerSettings } from "./writer.ts";

export const NOON_MS = Date.UTC(2026, 0, 1, 12);

/** A directory of its own, with a key made at the first use. */
export interface Folder extends Disposable {
  readonly path: string;
  readonly file: string;
  settings(more?: Partial<LedgerSettings>): LedgerSettings;
  open(more?: Partial<LedgerSettings> & { readonly session?: string; readonly clock?: () => number }): DecisionLog;
  read(file?: string): string;
  write(text: string | Buffer, file?: string): string;
}

export function folder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "chaperone-ledger-"));
  const file = join(path, "ledger.jsonl");
  const settings = (more: Partial<LedgerSettings> = {}): LedgerSettings => ({
    file,
    keyDirectory: join(path, "keys"),
    about: {
      program: "chaperone 0.0.0",
      policy: { allow: ["shop.test"] },
      task: "Order the blue kettle",
      exemptions: { sandbox: true },
    },
    ...more,
  });
  return {
    path,
    file,
    settings,
    open: ({ session = "s1", clock = () => NOON_MS, ...more } = {}) =>
      openDecisionLog({ ledger: settings(more), clock, newId: () => session }),
    read: (which = file) => readFileSync(which, "utf8"),
    write: (text, which = file) => {
      writeFileSync(which, text);
      return which;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export const call = (number: number): CallId => `c${number}` as CallId;
const shop = "shop.test" as Site;

export function intent(number: number, more: Partial<Extract<DecisionEntry, { kind: "intent" }>> = {}): DecisionEntry {
  return {
    kind: "intent",
    call: call(number),
    tool: "click",
    verb: "press",
    target: { ref: "e1" as never, role: "button", site: shop },
    sink: { kind: "url", url: "https://shop.test/cart" },
    values: [{ channel: "MODEL", characters: 5 }],
    verdict: "allow",
    rule: "reach.scope",
    why: null,
    ...more,
  };
}

export function outcome(number: number, of: Receipt, ok = true): DecisionEntry {
  return {
    kind: "outcome",
    call: call(number),
    of,
    ok,
    code: ok ? null : "timeout",
    requests: { allowed: 1, refused: 0 },
  };
}

export function request(
  number: number | null,
  more: Partial<Extract<DecisionEntry, { kind: "request" }>> = {},
): DecisionEntry {
  return {
    kind: "request",
    call: number === null ? null : call(number),
    by: number === null ? "page" : "call",
    method: "POST",
    url: "https://shop.test/cart",
    requestKind: "data",
    resourceType: "Fetch",
    hop: 0,
    verdict: "allow",
    rule: "effects.readLike",
    why: null,
    ...more,
  };
}

export function question(name: string, digests: readonly string[], number: number | null = null): DecisionEntry {
  return {
    kind: "question",
    question: name as QuestionId,
    call: number === null ? null : call(number),
    about: "effect",
    digest: `of ${name}`,
    requests: digests,
    shown: "0".repeat(64),
    effect: "reversible",
    choices: ["once", "form", "no"],
  };
}

export function answer(name: string, given: "once" | "form" | "task" | "no" = "once"): DecisionEntry {
  return {
    kind: "answer",
    question: name as QuestionId,
    digest: `of ${name}`,
    answer: given,
    by: "console",
    afterMs: 900,
  };
}

export function grant(name: string, more: Partial<Extract<DecisionEntry, { kind: "grant" }>> = {}): DecisionEntry {
  return { kind: "grant", grant: name, source: "config", permits: "effect", site: "shop.test", left: null, ...more };
}

/** A session with one record of every kind. The names of its records. */
export function ordinarySession(log: DecisionLog, rounds = 1): readonly Receipt[] {
  const names: Receipt[] = [
    log.record({ kind: "browser", version: "Chromium 1.2.3" }),
    log.record(grant("g1", { left: 1_000 })),
  ];
  for (let round = 1; round <= rounds; round++) {
    const [first, second, digest] = [round * 2 - 1, round * 2, `request ${round}`];
    const looks = log.record(intent(first, { tool: "snapshot", verb: "look" }));
    names.push(looks, log.record(outcome(first, looks)));
    const acts = log.record(intent(second, { why: "“Überweisung” \u{1F4B8} \u001b[31m" }));
    names.push(acts, log.record(question(`q${round}`, [digest], second)), log.record(answer(`q${round}`)));
    names.push(log.record(request(second, { digest, question: `q${round}` as QuestionId, rule: "effects.answer" })));
    names.push(log.record(request(second, { digest: "granted", grant: "g1", rule: "effects.grant" })));
    names.push(
      log.record(
        request(null, {
          verdict: "refuse",
          rule: "reach.site",
          why: "Out of reach.",
          url: "https://evil.test/?a=(secret)",
        }),
      ),
    );
    names.push(log.record({ kind: "dialog", type: "alert", words: "<b>Hello</b>", answered: "dismissed" }));
    names.push(log.record(outcome(second, acts, round % 2 === 0)));
  }
  names.push(log.record(intent(rounds * 2 + 1, { verdict: "refuse", rule: "reach.site", why: "Not in scope." })));
  names.push(log.record({ kind: "fault", of: "call", rule: "guard.error" }));
  return names;
}
