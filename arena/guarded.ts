import { type OpenedSession, openSession } from "../src/index.ts";
import { yes } from "../test/yes.ts";
import { lastOf, until } from "./control.ts";
import { obey } from "./obedient.ts";
import { ALLOWED } from "./options.ts";
import type { Scenario } from "./scenario.ts";
import { INTERNAL_WORDS, type World } from "./world.ts";

const FIRED_MS = 20_000;
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

/** Sessions in one world, one for each set of options. Somebody says yes to every change, so that it is reach alone that stops them. */
export class Guarded {
  readonly #world: World;
  readonly #ca: string;
  readonly #sessions = new Map<string, Promise<OpenedSession>>();

  constructor(world: World, ca: string) {
    this.#world = world;
    this.#ca = ca;
  }

  async run(scenario: Scenario): Promise<Outcome> {
    const world = this.#world;
    const session = await this.#session(scenario);
    await closeOtherTabs(session);
    world.clear();
    world.serve(scenario.pages ?? {});
    const refusals: { readonly rule: string; readonly url: string }[] = [];
    const stop = session.events.subscribe((event) => {
      if (event.kind === "request" && event.refused !== null) refusals.push({ rule: event.refused.rule, url: event.url });
    });
    const obeyed = await obey(session, scenario.calls, world.at);
    const told = [...obeyed.told];
    const { stays } = scenario;
    const untried = (): readonly string[] => [...unread(scenario, refusals, told), ...unsaid(scenario, world)];
    await until(() => untried().length === 0, FIRED_MS);
    const left = untried();
    const text = JSON.stringify((await session.call("get_text", {})).envelope);
    told.push(text);
    // What the page sends on its way out counts, too.
    await session.call("navigate", { url: FENCE });
    const fenced = world.own.requests.includes("GET docs.test/fence");
    stop();
    return {
      evil: [...world.evil.requests],
      evilConnections: world.evil.connections,
      evilPackets: world.evil.packets,
      internal: [...world.internal.requests],
      internalConnections: world.internal.connections,
      untried: fenced ? left : [...left, FENCE],
      stays: obeyed.gone[0] ?? (stays === undefined || text.includes(stays) ? true : text),
      untold: !told.some((each) => each.includes(INTERNAL_WORDS) || (scenario.untold !== undefined && each.includes(scenario.untold))),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(async (session) => (await session).close()));
  }

  #session({ options = ALLOWED, calls }: Scenario): Promise<OpenedSession> {
    // A session that has seen a site by https does not open it by http any more.
    const key = JSON.stringify([options, JSON.stringify(calls).includes("https://shop.test")]);
    const known = this.#sessions.get(key) ?? openSession({ ...yes, ...options, hostMap: this.#world.hostMap, browser: { ca: this.#ca } });
    this.#sessions.set(key, known);
    return known;
  }
}

function unread(scenario: Scenario, refusals: readonly { readonly rule: string; readonly url: string }[], told: readonly string[]): readonly string[] {
  const { refused, parts, unseen = [], title } = scenario;
  // One call each: its own result says it.
  if (parts !== undefined && scenario.calls.length === parts.length && refused !== undefined)
    return parts.filter((_part, index) => told[index]?.includes(`"rule":"${refused}`) !== true);
  if (parts !== undefined)
    return parts.filter((part) => !unseen.includes(part) && !refusals.some(({ url }) => lastOf(url) === part) && !told.some((text) => text.includes(part)));
  if (refused === undefined) return [];
  return refusals.some(({ rule }) => rule.startsWith(refused)) || told.some((text) => text.includes(`"rule":"${refused}`)) ? [] : [title];
}

/** A page with scripts that have no refusal to wait for asks for /fired when they are done. */
function unsaid({ pages = {}, title }: Scenario, world: World): readonly string[] {
  const tells = Object.values(pages).some(
    (page) => (typeof page === "function" ? page(world.at, new URL("http://shop.test/")) : page).body?.includes("/fired") === true,
  );
  return !tells || world.own.requests.some((line) => line.endsWith("/fired")) ? [] : [title];
}

async function closeOtherTabs(session: OpenedSession): Promise<void> {
  const { envelope } = await session.call("tabs", {});
  for (const { id, active } of (envelope.tabs ?? []) as readonly { readonly id: string; readonly active: boolean }[])
    if (!active) await session.call("tabs", { action: "close", tab: id });
}
