import { type CallableSession, type Envelope, openSession, type Question } from "../../src/index.ts";
import { until } from "../control.ts";
import type { Row, Step } from "./row.ts";
import { openWorld, type World } from "./world.ts";

const ARRIVAL_MS = 3_000;
const BROWSERS_OWN = "proxy.way";

/** What came of a row. All lists must be empty, but for the questions. */
export interface Outcome {
  readonly questions: number;
  /** Calls that did not go as they should, each with what was told. */
  readonly failed: readonly string[];
  readonly unasked: readonly string[];
  /** Changes that should have arrived, and those that should not. */
  readonly missing: readonly string[];
  readonly surplus: readonly string[];
  /** Rules that refused what no row gives up. */
  readonly refused: readonly string[];
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The file that a browser takes it from. */
  readonly ca: string;
}

/** The scripted agent does the task in front of an approver who always answers; only the guard is measured. */
export async function runRow(row: Row, certificate: Certificate): Promise<Outcome> {
  const world = await openWorld(row, certificate);
  try {
    const visits = await Promise.all(Array.from({ length: row.sessions ?? 1 }, () => visit(row, world, certificate.ca)));
    const lines = visits.flatMap(({ asked }) => asked.flatMap((question) => question.lines)).join("\n");
    const failed = visits.flatMap((each) => each.failed);
    return {
      questions: visits.reduce((sum, { asked }) => sum + asked.length, 0),
      failed,
      unasked: (row.asked ?? []).filter((text) => !lines.includes(text)),
      ...compared(row, world),
      refused: visits.flatMap((each) => each.refused),
    };
  } finally {
    await world.close();
  }
}

interface Visit {
  readonly asked: readonly Question[];
  readonly failed: readonly string[];
  readonly refused: readonly string[];
}

async function visit(row: Row, world: World, ca: string): Promise<Visit> {
  const asked: Question[] = [];
  const refused = new Set<string>();
  const failed: string[] = [];
  const opened = await openSession({
    ...(typeof row.options === "function" ? row.options(world.port) : row.options),
    hostMap: world.hostMap,
    ...(row.untrusted === true ? {} : { browser: { ca } }),
    approve: (question) => {
      asked.push(question);
      const { says = "once" } = row;
      return Promise.resolve({ answer: question.choices.includes(says) ? says : "once" });
    },
  });
  opened.events.subscribe((event) => {
    // What the browser asks for by itself, from its maker, ends at the proxy.
    if (event.kind === "request" && event.refused !== null && ![BROWSERS_OWN, ...(row.mayRefuse ?? [])].includes(event.refused.rule))
      refused.add(`${event.refused.rule} ${event.method} ${event.url}`);
  });
  // By name: steps are data.
  const session: CallableSession = opened as unknown as CallableSession;
  try {
    let shown = "";
    for (const step of row.steps) {
      const args = typeof step.args === "function" ? step.args(shown, world.port) : step.args;
      const { envelope } = await session.call(step.tool, args);
      shown = textOf(envelope);
      const wrong = wrongIn(step, envelope, shown);
      if (wrong !== null) failed.push(`${step.tool} ${JSON.stringify(args)}: ${wrong}`);
    }
    await until(() => compared(row, world).missing.length === 0, ARRIVAL_MS);
  } finally {
    await session.close();
  }
  return { asked, failed, refused: [...refused] };
}

function wrongIn(step: Step, envelope: Envelope, shown: string): string | null {
  if (step.anyhow === true) return null;
  const told = envelope.error?.code ?? envelope.refused?.rule ?? (envelope.pending === undefined ? null : "pending");
  if (step.told !== undefined ? told !== step.told : !envelope.ok || told !== null) return JSON.stringify(envelope);
  const lacking = (step.has ?? []).filter((text) => !shown.includes(text));
  const tooMuch = (step.lacks ?? []).filter((text) => shown.includes(text));
  return lacking.length + tooMuch.length === 0 ? null : `lacks ${JSON.stringify(lacking)}, has ${JSON.stringify(tooMuch)} in ${shown}`;
}

/** All that the model reads of a result. */
function textOf({ snapshot = "", blocks, ...rest }: Envelope): string {
  const texts = Array.isArray(blocks) ? (blocks as readonly { readonly text: string }[]).map(({ text }) => text) : [];
  return [snapshot, ...texts, JSON.stringify(rest)].join("\n");
}

function compared(row: Row, { changes, reads }: World): Pick<Outcome, "missing" | "surplus"> {
  const { clockwork = [], silent = [], arrives = [] } = row;
  const left = changes.filter((line) => !clockwork.some((start) => line.startsWith(start)));
  const missing = arrives.filter((line) => !reads.includes(line));
  for (const line of row.changes ?? []) {
    const at = left.indexOf(line);
    if (at < 0) missing.push(line);
    else left.splice(at, 1);
  }
  return { missing, surplus: [...left, ...[...changes, ...reads].filter((line) => silent.some((host) => line.split(" ")[1]?.startsWith(`${host}/`)))] };
}
