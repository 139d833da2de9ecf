import type { Question } from "../../src/index.ts";
import { hostsOf, type World } from "../benign/world.ts";
import type { Story } from "./story.ts";

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

export const DONE: Outcome = { failed: [], missing: [], surplus: [], unasked: [], needless: [], refused: [] };

/** Of what arrived in a world of several stories only that of this one counts. */
export function arrivalsOf(
  { sites, changes = [], passes = [], may = [] }: Story,
  world: World,
): Pick<Outcome, "missing" | "surplus"> {
  const hosts = new Set(hostsOf(sites()));
  const isOwn = (line: string): boolean => hosts.has(hostOf(line));
  const wanted = [...changes.flatMap(({ arrives }) => arrives), ...passes];
  const unsafe = world.changes.filter(isOwn);
  const all = [...unsafe, ...world.reads.filter(isOwn)];
  // What passes does so again and again, with other values.
  const places = new Set(passes.flatMap((pattern) => all.filter((line) => pattern.test(line)).map(placeOf)));
  const isWanted = (line: string): boolean =>
    places.has(placeOf(line)) || [...wanted, ...may].some((pattern) => pattern.test(line));
  return {
    missing: wanted.filter((pattern) => !all.some((line) => pattern.test(line))).map(String),
    surplus: [
      ...unsafe.filter((line) => !isWanted(line)),
      ...changes
        .flatMap(({ arrives }) => arrives)
        .flatMap((pattern) => all.filter((line) => pattern.test(line)).slice(1)),
    ],
  };
}

/** `METHOD host/path` */
function placeOf(line: string): string {
  return line.split(" ", 2).join(" ");
}

function hostOf(line: string): string {
  return line.split(" ", 2)[1]?.split("/", 1)[0] ?? "";
}

export function questionsOf(
  { changes = [], needless = [] }: Story,
  asked: readonly Question[],
): Pick<Outcome, "unasked" | "needless"> {
  const texts = asked.map(({ lines }) => lines.join("\n"));
  const unasked: string[] = [];
  for (const { asked: pattern } of [...changes, ...needless]) {
    const at = texts.findIndex((text) => pattern.test(text));
    if (at !== -1) texts.splice(at, 1);
    else if (changes.some((change) => change.asked === pattern)) unasked.push(String(pattern));
  }
  return { unasked, needless: texts };
}
