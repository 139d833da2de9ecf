import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallableSession, type Envelope, openSession, type Question } from "../../src/index.ts";
import { selfSigned } from "../../src/proxy/certificate.fixture.ts";
import type { Step } from "../benign/row.ts";
import { hostsOf, openWorld, type World } from "../benign/world.ts";
import { until } from "../control.ts";
import type { Story } from "./story.ts";

const ARRIVAL_MS = 10_000;
const BROWSERS_OWN = "proxy.way";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  remove(): Promise<void>;
}

/** One that all sites of all these stories show. */
export async function certificateFor(stories: readonly Story[]): Promise<Certificate> {
  const directory = await mkdtemp(join(tmpdir(), "stories-"));
  const ca = join(directory, "authority.pem");
  const authority = selfSigned(...new Set(stories.flatMap(({ sites }) => hostsOf(sites()))));
  await writeFile(ca, authority.cert);
  return { ...authority, ca, remove: () => rm(directory, { recursive: true, force: true }) };
}

export async function worldOf({ id, title, options, sites }: Story, certificate: Certificate): Promise<World> {
  const served = sites();
  const world = await openWorld([{ id, title, options, steps: [], sites: served }], certificate);
  world.serve(served);
  return world;
}

/** What came of a story. All lists are empty when all is well. */
export interface Outcome {
  /** Calls that did not go as they should, each with what was told. */
  readonly failed: readonly string[];
  /** What should have arrived. */
  readonly missing: readonly string[];
  /** Unsafe requests that arrived and belong to nothing. */
  readonly surplus: readonly string[];
  /** Changes with no question about them. */
  readonly unasked: readonly string[];
  /** Questions about no change, and second ones about the same. */
  readonly needless: readonly string[];
  /** What was refused that the page cannot do without. */
  readonly refused: readonly string[];
}

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

/** Somebody answers each question with yes. */
export function runAnswered(story: Story, certificate: Certificate): Promise<Run> {
  return run(story, certificate, true, NO_GRANTS);
}

/** Nobody is there. `isFirst` ends with the first line that is printed for the operator. */
export function runUnattended(story: Story, certificate: Certificate, grants: Grants = NO_GRANTS, isFirst = false): Promise<Run> {
  return run(story, certificate, false, grants, isFirst);
}

async function run(story: Story, certificate: Certificate, isAnswered: boolean, grants: Grants, isFirst = false): Promise<Run> {
  const world = await worldOf(story, certificate);
  const asked: Question[] = [];
  const lines = new Set<string>();
  const refused = new Set<string>();
  const failed: string[] = [];
  try {
    const opened = await openSession({
      ...story.options,
      hostMap: world.hostMap,
      browser: { ca: certificate.ca },
      effects: { allow: [...grants.allow], readLike: [...grants.readLike] },
      ...(isAnswered && {
        approve: (question: Question) => {
          asked.push(question);
          return Promise.resolve({ answer: "once" as const });
        },
      }),
    });
    opened.events.subscribe((event) => {
      if (event.kind !== "request" || event.refused === null) return;
      for (const line of linesIn(event)) lines.add(line);
      const { rule } = event.refused;
      if (![BROWSERS_OWN, ...(story.mayRefuse ?? [])].includes(rule)) refused.add(`${rule} ${event.method} ${event.url}`);
    });
    // By name: steps are data.
    const session: CallableSession = opened as unknown as CallableSession;
    try {
      let shown = "";
      for (const step of [...story.steps, { tool: "wait_for", args: { text: story.ends } }] satisfies readonly Step[]) {
        const args = typeof step.args === "function" ? step.args(shown, world.port) : step.args;
        const { envelope } = await session.call(step.tool, args);
        for (const line of linesIn(envelope)) lines.add(line);
        if (isFirst && lines.size > 0) break;
        shown = JSON.stringify(envelope);
        const wrong = wrongIn(step, envelope, shown);
        if (wrong !== null) failed.push(`${step.tool} ${JSON.stringify(args)}: ${wrong}`);
      }
      if (!isFirst) await until(() => arrivalsOf(story, world).missing.length === 0, ARRIVAL_MS);
    } finally {
      await session.close();
    }
    const questions = isAnswered ? questionsOf(story, asked) : { unasked: [], needless: [] };
    return { outcome: { failed, ...arrivalsOf(story, world), ...questions, refused: [...refused] }, questions: asked.length, lines: [...lines] };
  } finally {
    await world.close();
  }
}

function wrongIn(step: Step, envelope: Envelope, shown: string): string | null {
  const isDone = envelope.ok && envelope.error === undefined && envelope.refused === undefined && envelope.pending === undefined;
  if (!isDone) return step.anyhow === true ? null : shown;
  const lacking = (step.has ?? []).filter((text) => !shown.includes(text));
  return lacking.length === 0 ? null : `lacks ${JSON.stringify(lacking)} in ${shown}`;
}

export function arrivalsOf({ changes = [], passes = [], may = [] }: Story, world: World): Pick<Outcome, "missing" | "surplus"> {
  const wanted = [...changes.flatMap(({ arrives }) => arrives), ...passes];
  const all = [...world.changes, ...world.reads];
  // What passes does so again and again, with other values.
  const places = new Set(passes.flatMap((pattern) => all.filter((line) => pattern.test(line)).map(placeOf)));
  const isWanted = (line: string): boolean => places.has(placeOf(line)) || [...wanted, ...may].some((pattern) => pattern.test(line));
  return {
    missing: wanted.filter((pattern) => !all.some((line) => pattern.test(line))).map(String),
    surplus: [
      ...world.changes.filter((line) => !isWanted(line)),
      ...changes.flatMap(({ arrives }) => arrives).flatMap((pattern) => all.filter((line) => pattern.test(line)).slice(1)),
    ],
  };
}

/** `METHOD host/path` */
function placeOf(line: string): string {
  return line.split(" ", 2).join(" ");
}

function questionsOf({ changes = [], needless = [] }: Story, asked: readonly Question[]): Pick<Outcome, "unasked" | "needless"> {
  const texts = asked.map(({ lines }) => lines.join("\n"));
  const unasked: string[] = [];
  for (const { asked: pattern } of [...changes, ...needless]) {
    const at = texts.findIndex((text) => pattern.test(text));
    if (at !== -1) texts.splice(at, 1);
    else if (changes.some((change) => change.asked === pattern)) unasked.push(String(pattern));
  }
  return { unasked, needless: texts };
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
      [...line.matchAll(LINE)].filter(([, name]) => name === flag).map(([, , quoted, single, bare]) => quoted?.replace(/\\(.)/g, "$1") ?? single ?? bare ?? ""),
    );
  return { allow: of("allow-effect"), readLike: of("read-like") };
}
