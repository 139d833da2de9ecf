import {
  type CallableSession,
  type Choice,
  type Envelope,
  type OpenedSession,
  openSession,
  type Question,
} from "../../src/index.ts";
import { until } from "../control.ts";
import type { Row, Step } from "./row.ts";
import { hostsOf, openWorld, type World } from "./world.ts";

const ARRIVAL_MS = 3_000;
const BROWSERS_OWN = "proxy.way";

/** What came of a row. All lists must be empty, but for what was received. */
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
  /** All that the servers got, for whoever reads why a row failed. */
  readonly received: readonly string[];
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The file that a browser takes it from. */
  readonly ca: string;
}

/**
 * Rows of the same options, one after another in front of an approver who always answers; only the guard is measured.
 */
export class Place {
  readonly #world: World;
  readonly #visitors: readonly Visitor[];
  #isUsed = false;

  private constructor(world: World, visitors: readonly Visitor[]) {
    this.#world = world;
    this.#visitors = visitors;
  }

  /** The first of them says what all have in common. */
  static async open(rows: readonly [Row, ...Row[]], certificate: Certificate): Promise<Place> {
    const [first] = rows;
    const world = await openWorld(rows, certificate);
    const visitors = await Promise.all(
      Array.from({ length: first.sessions ?? 1 }, () => Visitor.open(first, world, certificate.ca)),
    );
    return new Place(world, visitors);
  }

  async run(row: Row): Promise<Outcome> {
    if (this.#isUsed) await this.#leave(row);
    this.#isUsed = true;
    this.#world.serve(row.sites);
    const visits = await Promise.all(this.#visitors.map((visitor) => visitor.visit(row, this.#world)));
    const lines = visits.flatMap(({ asked }) => asked.flatMap((question) => question.lines)).join("\n");
    return {
      questions: visits.reduce((sum, { asked }) => sum + asked.length, 0),
      failed: visits.flatMap((each) => each.failed),
      unasked: (row.asked ?? []).filter((text) => !lines.includes(text)),
      ...compared(row, this.#world),
      refused: visits.flatMap((each) => each.refused),
      received: [...this.#world.changes, ...this.#world.reads],
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#visitors.map((visitor) => visitor.close()));
    await this.#world.close();
  }

  /** What the row before left behind comes to nobody: an empty page of the next row's host is there after it. */
  async #leave({ sites }: Row): Promise<void> {
    this.#world.serve({});
    await Promise.all(this.#visitors.map((visitor) => visitor.leave(`https://${hostsOf(sites)[0]}/fence`)));
  }
}

interface Visit {
  readonly asked: readonly Question[];
  readonly failed: readonly string[];
  readonly refused: readonly string[];
}

/** One session, and whoever answers its questions. */
class Visitor {
  readonly #opened: OpenedSession;
  /** By name: steps are data. */
  readonly #session: CallableSession;
  readonly #asked: Question[];
  readonly #says: (choice: Choice) => void;

  private constructor(opened: OpenedSession, asked: Question[], says: (choice: Choice) => void) {
    this.#opened = opened;
    this.#session = opened as unknown as CallableSession;
    this.#asked = asked;
    this.#says = says;
  }

  static async open(row: Row, world: World, ca: string): Promise<Visitor> {
    const asked: Question[] = [];
    let says: Choice = "once";
    const opened = await openSession({
      ...(typeof row.options === "function" ? row.options(world.port) : row.options),
      hostMap: world.hostMap,
      ...(row.untrusted === true ? {} : { browser: { ca } }),
      approve: (question) => {
        asked.push(question);
        return Promise.resolve({ answer: question.choices.includes(says) ? says : "once" });
      },
    });
    return new Visitor(opened, asked, (choice) => {
      says = choice;
    });
  }

  async visit(row: Row, world: World): Promise<Visit> {
    this.#asked.length = 0;
    this.#says(row.says ?? "once");
    const refused = new Set<string>();
    const failed: string[] = [];
    const stop = this.#opened.events.subscribe((event) => {
      // What the browser asks for by itself, from its maker, ends at the proxy.
      if (
        event.kind === "request" &&
        event.refused !== null &&
        ![BROWSERS_OWN, ...(row.mayRefuse ?? [])].includes(event.refused.rule)
      )
        refused.add(`${event.refused.rule} ${event.method} ${event.url}`);
    });
    let shown = "";
    for (const step of row.steps) {
      const args = typeof step.args === "function" ? step.args(shown, world.port) : step.args;
      const { envelope } = await this.#session.call(step.tool, args);
      shown = textOf(envelope);
      const wrong = wrongIn(step, envelope, shown);
      if (wrong !== null) failed.push(`${step.tool} ${JSON.stringify(args)}: ${wrong}`);
    }
    await until(() => compared(row, world).missing.length === 0, ARRIVAL_MS);
    stop();
    return { asked: [...this.#asked], failed, refused: [...refused] };
  }

  /** In a tab of its own, and nothing else open; rows do not know of one another's questions. */
  async leave(fence: string): Promise<void> {
    const { envelope } = await this.#session.call("tabs", { action: "new" });
    const tabs = (envelope.tabs ?? []) as readonly { readonly id: string; readonly active: boolean }[];
    for (const { id, active } of tabs) if (!active) await this.#session.call("tabs", { action: "close", tab: id });
    await this.#session.call("navigate", { url: fence });
    this.#opened.addOperatorText("Next.");
  }

  close(): Promise<void> {
    return this.#opened.close();
  }
}

function wrongIn(step: Step, envelope: Envelope, shown: string): string | null {
  if (step.anyhow === true) return null;
  const told = envelope.error?.code ?? envelope.refused?.rule ?? (envelope.pending === undefined ? null : "pending");
  if (step.told !== undefined ? told !== step.told : !envelope.ok || told !== null) return JSON.stringify(envelope);
  const lacking = (step.has ?? []).filter((text) => !shown.includes(text));
  const tooMuch = (step.lacks ?? []).filter((text) => shown.includes(text));
  return lacking.length + tooMuch.length === 0
    ? null
    : `lacks ${JSON.stringify(lacking)}, has ${JSON.stringify(tooMuch)} in ${shown}`;
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
  return {
    missing,
    surplus: [
      ...left,
      ...[...changes, ...reads].filter((line) => silent.some((host) => line.split(" ")[1]?.startsWith(`${host}/`))),
    ],
  };
}
