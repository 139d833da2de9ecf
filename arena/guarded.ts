import { type OpenedSession, openSession } from "../src/index.ts";
import { chromiumProgram } from "../test/chromium-program.ts";
import { yes } from "../test/yes.ts";
import { lastOf, until } from "./control.ts";
import { obey } from "./obedient.ts";
import { OPTIONS, type Options, type Under } from "./options.ts";
import type { Scenario } from "./scenario.ts";
import { INTERNAL_WORDS, openWorld, type World } from "./world.ts";

/** A bound for a busy machine: what is tried is tried at once. */
const FIRED_MS = 300_000;
/** By https, which every session may open at any time. */
const FENCE = "https://docs.test/fence";

/** What came of a scenario with the guard on. All must be empty, or true. */
export interface Outcome {
  readonly evil: readonly string[];
  readonly evilConnections: number;
  readonly evilPackets: number;
  readonly internal: readonly string[];
  readonly internalConnections: number;
  /** What shows no sign of having been tried: its refusal cannot be read, or the page does not say that it is done. */
  readonly untried: readonly string[];
  /** Or what is there in its place. */
  readonly stays: true | string;
  readonly untold: boolean;
}

/** A session in a world of its own. */
export class Guarded {
  readonly world: World;
  readonly session: OpenedSession;

  private constructor(world: World, session: OpenedSession) {
    this.world = world;
    this.session = session;
  }

  static async open(options: Options, ca: string): Promise<Guarded> {
    const world = await openWorld();
    return new Guarded(
      world,
      await openSession({ ...options, hostMap: world.hostMap, browser: { path: chromiumProgram(), ca } }),
    );
  }

  async run(scenario: Scenario): Promise<Outcome> {
    const { world, session } = this;
    await this.begin(scenario);
    const refused = { parts: new Set<string>(), rules: new Set<string>() };
    const stop = session.events.subscribe((event) => {
      if (event.kind !== "request" || event.refused === null) return;
      refused.parts.add(lastOf(event.url));
      refused.rules.add(event.refused.rule);
    });
    const { told, gone } = await obey(session, scenario.calls, world.at);
    const words = wordsOf(scenario, world);
    const unread = unreadIn(scenario, told);
    const untried = (): readonly string[] => [
      ...unread.filter((part) =>
        scenario.parts === undefined ? !isIn(refused.rules, scenario.refused) : !refused.parts.has(part),
      ),
      ...words.filter((word) => !world.own.requests.some((line) => line.endsWith(word))),
    ];
    await until(() => untried().length === 0, FIRED_MS);
    const left = untried();
    const text = JSON.stringify((await session.call("get_text", {})).envelope);
    const isFenced = await this.leave();
    stop();
    const { stays } = scenario;
    return {
      ...arrivedIn(world),
      untried: isFenced ? left : [...left, FENCE],
      stays: gone[0] ?? (stays === undefined || text.includes(stays) ? true : text),
      untold: ![...told, text].some(
        (each) => each.includes(INTERNAL_WORDS) || (scenario.untold !== undefined && each.includes(scenario.untold)),
      ),
    };
  }

  /** The pages of a scenario, and nothing of what was before. */
  async begin({ pages = {} }: Scenario): Promise<void> {
    const { envelope } = await this.session.call("tabs", {});
    for (const { id, active } of (envelope.tabs ?? []) as readonly { readonly id: string; readonly active: boolean }[])
      if (!active) await this.session.call("tabs", { action: "close", tab: id });
    this.world.clear();
    this.world.serve(pages);
  }

  /** Leaves the page: what it sends on its way out counts, too. False when that did not come to pass. */
  async leave(): Promise<boolean> {
    await this.session.call("navigate", { url: FENCE });
    return this.world.own.requests.includes("GET docs.test/fence");
  }

  async close(): Promise<void> {
    await this.session.close();
    await this.world.close();
  }
}

/** Scenarios that can share a session: one that has seen a site by https does not open it by http any more. */
export interface Kind {
  readonly under: Under;
  readonly isSecure: boolean;
}

export function kindOf({ under = "sites named", calls }: Scenario): Kind {
  return { under, isSecure: JSON.stringify(calls).includes("https://shop.test") };
}

/** Somebody says yes to every change, so that it is reach alone that stops them. */
export function openKind({ under }: Kind, ca: string): Promise<Guarded> {
  return Guarded.open({ ...yes, ...OPTIONS[under] }, ca);
}

function arrivedIn({ evil, internal }: World): Omit<Outcome, "untried" | "stays" | "untold"> {
  return {
    evil: [...evil.requests],
    evilConnections: evil.connections,
    evilPackets: evil.packets,
    internal: [...internal.requests],
    internalConnections: internal.connections,
  };
}

const isIn = (rules: ReadonlySet<string>, prefix = ""): boolean => [...rules].some((rule) => rule.startsWith(prefix));

/** What must be refused by name, and was not in a result: an event must tell it. */
function unreadIn({ calls, refused, parts, unseen = [], title }: Scenario, told: readonly string[]): readonly string[] {
  const isRefusal = (text: string | undefined): boolean => text?.includes(`"rule":"${refused}`) === true;
  if (parts === undefined) return refused === undefined || told.some(isRefusal) ? [] : [title];
  // One call each: its own result says it.
  if (calls.length === parts.length && refused !== undefined)
    return parts.filter((_part, index) => !isRefusal(told[index]));
  return parts.filter((part) => !unseen.includes(part) && !told.some((text) => text.includes(part)));
}

/**
 * What pages ask of their own site when they have tried: `/fired`, some with a name of their own. Where a refusal tells
 * it, a page may not even have come so far.
 */
function wordsOf({ pages = {}, refused, parts }: Scenario, world: World): readonly string[] {
  if (refused !== undefined && parts === undefined) return [];
  const bodies = Object.values(pages).map(
    (page) => (typeof page === "function" ? page(world.at, new URL("http://shop.test/")) : page).body ?? "",
  );
  return [...new Set(bodies.flatMap((body) => body.match(/\/fired\b(\?[\w-]+)?/g) ?? []))];
}
