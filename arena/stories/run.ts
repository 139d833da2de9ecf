import { type BrowserEvent, type CallableSession, type Envelope, openSession, type Question } from "../../src/index.ts";
import type { Options, Step } from "../benign/row.ts";
import { hostsOf, type World } from "../benign/world.ts";
import { until } from "../control.ts";
import { type Certificate, worldOf } from "./certificate.ts";
import { arrivalsOf, type Outcome, questionsOf } from "./outcome.ts";
import type { Story } from "./story.ts";

const ARRIVAL_MS = 10_000;
/** Where only the operator's lines are wanted, what does not come is not waited for. */
const TRIED_MS = 4_000;
/** Of the browser itself, or of nobody that is known: no page's request is behind them. */
const NO_PAGES = new Set(["proxy.way", "proxy.peer"]);

export interface Run {
  readonly outcome: Outcome;
  readonly questions: number;
  /** Options for the operator, as they were printed. */
  readonly lines: readonly string[];
}

export interface Grants {
  readonly allow: readonly string[];
  readonly readLike: readonly string[];
}

const NO_GRANTS: Grants = { allow: [], readLike: [] };

export interface LaneOptions {
  /** Somebody answers each question with yes; else nobody is there. */
  readonly isAnswered: boolean;
  readonly grants?: Grants;
  /** A story ends with the first call that does not go well: only what is printed for the operator counts. */
  readonly isTrial?: boolean;
}

/** One session in which one story after the other is told. */
export class StoryLane {
  readonly #stories: readonly Story[];
  readonly #certificate: Certificate;
  readonly #options: LaneOptions;
  readonly #world: World;
  #opened: Awaited<ReturnType<typeof openSession>> | null = null;
  #asked: Question[] = [];
  #refused: Extract<BrowserEvent, { kind: "request" }>[] = [];

  private constructor(stories: readonly Story[], certificate: Certificate, options: LaneOptions, world: World) {
    this.#stories = stories;
    this.#certificate = certificate;
    this.#options = options;
    this.#world = world;
  }

  static async open(stories: readonly Story[], certificate: Certificate, options: LaneOptions): Promise<StoryLane> {
    return new StoryLane(stories, certificate, options, await worldOf(stories, certificate));
  }

  async run(story: Story): Promise<Run> {
    const { isAnswered, isTrial = false } = this.#options;
    this.#opened ??= await this.#openSession();
    // By name: steps are data.
    const session: CallableSession = this.#opened as unknown as CallableSession;
    this.#asked = [];
    this.#refused = [];
    const failed: string[] = [];
    const lines = new Set<string>();
    let shown = "";
    for (const step of [...story.steps, { tool: "wait_for", args: { text: story.ends } }] satisfies readonly Step[]) {
      const given = typeof step.args === "function" ? step.args(shown, this.#world.port) : step.args;
      const args = isTrial && step.tool === "wait_for" ? { ...given, timeout_ms: TRIED_MS } : given;
      const { envelope } = await session.call(step.tool, args);
      for (const line of linesIn(envelope)) lines.add(line);
      shown = JSON.stringify(envelope);
      const wrong = wrongIn(step, envelope, shown);
      if (wrong === null) continue;
      failed.push(`${step.tool} ${JSON.stringify(args)}: ${wrong}`);
      if (isTrial) break;
    }
    const world = this.#world;
    if (!isTrial) await until(() => arrivalsOf(story, world).missing.length === 0, ARRIVAL_MS);
    const refused = this.#refused.filter(isOf(story));
    for (const line of refused.flatMap(linesIn)) lines.add(line);
    const questions = isAnswered ? questionsOf(story, this.#asked) : { unasked: [], needless: [] };
    const outcome = {
      failed,
      ...arrivalsOf(story, world),
      ...questions,
      refused: refused.flatMap((event) => lackedBy(story, event)),
    };
    // What it left behind is no other story's matter.
    if (failed.length > 0 && !isTrial) await this.closeSession();
    return { outcome, questions: this.#asked.length, lines: [...lines] };
  }

  async close(): Promise<void> {
    await this.closeSession();
    await this.#world.close();
  }

  async #openSession(): Promise<Awaited<ReturnType<typeof openSession>>> {
    const { isAnswered, grants = NO_GRANTS } = this.#options;
    const opened = await openSession({
      ...together(this.#stories),
      hostMap: this.#world.hostMap,
      browser: { ca: this.#certificate.ca },
      effects: { allow: [...grants.allow], readLike: [...grants.readLike] },
      ...(isAnswered && {
        approve: (question: Question) => {
          this.#asked.push(question);
          return Promise.resolve({ answer: "once" as const });
        },
      }),
    });
    opened.events.subscribe((event) => {
      if (event.kind === "request" && event.refused !== null) this.#refused.push(event);
    });
    return opened;
  }

  /** The next story opens another one. */
  async closeSession(): Promise<void> {
    await this.#opened?.close();
    this.#opened = null;
  }
}

/** Stories that may share a session: what the operator named for each is named for all. */
export function groupsOf(stories: readonly Story[]): readonly (readonly Story[])[] {
  const groups = new Map<string, Story[]>();
  for (const story of stories) {
    const { id, options, fresh } = story;
    const key = fresh === undefined ? JSON.stringify([Object.keys(options).sort(), options.mode ?? null]) : id;
    groups.set(key, [...(groups.get(key) ?? []), story]);
  }
  return [...groups.values()];
}

function together(stories: readonly Story[]): Options {
  const all = stories.map(({ options }) => options);
  const mode = all[0]?.mode;
  const allow = all.flatMap((one) => one.allow ?? []);
  const sites = all.flatMap((one) => one.sites ?? []);
  const tasks = all.flatMap((one) => one.task ?? []);
  return {
    ...(mode && { mode }),
    ...(allow.length > 0 && { allow }),
    ...(sites.length > 0 && { sites }),
    ...(tasks.length > 0 && { task: tasks.join("\n") }),
  };
}

/** Its own, or of a host of nobody's: what another story's page still tries is not this one's. */
function isOf(story: Story): (event: Extract<BrowserEvent, { kind: "request" }>) => boolean {
  const hosts = new Set(hostsOf(story.sites()));
  return ({ url }) => !URL.canParse(url) || hosts.has(new URL(url).hostname);
}

function lackedBy(
  { mayRefuse = [] }: Story,
  { refused, method, url }: Extract<BrowserEvent, { kind: "request" }>,
): readonly string[] {
  if (refused === null || NO_PAGES.has(refused.rule) || mayRefuse.includes(refused.rule)) return [];
  return [`${refused.rule} ${method} ${url}`];
}

function wrongIn(step: Step, envelope: Envelope, shown: string): string | null {
  const isDone =
    envelope.ok && envelope.error === undefined && envelope.refused === undefined && envelope.pending === undefined;
  if (!isDone) return step.anyhow === true ? null : shown;
  const lacking = (step.has ?? []).filter((text) => !shown.includes(text));
  return lacking.length === 0 ? null : `lacks ${JSON.stringify(lacking)} in ${shown}`;
}

const LINE = /--(allow-effect|read-like) (?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))/g;

/** Wherever in a result they stand. */
function linesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [...value.matchAll(LINE)].map(([line]) => line);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(linesIn);
}

/** The operator takes each line as it was printed. */
export function grantsOf(lines: readonly string[]): Grants {
  const of = (flag: string): readonly string[] =>
    lines.flatMap((line) =>
      [...line.matchAll(LINE)]
        .filter(([, name]) => name === flag)
        .map(([, , quoted, single, bare]) => quoted?.replace(/\\(.)/g, "$1") ?? single ?? bare ?? ""),
    );
  return { allow: of("allow-effect"), readLike: of("read-like") };
}
