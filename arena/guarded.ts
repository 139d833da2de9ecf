import { type OpenedSession, openSession } from "../src/index.ts";
import { until } from "./control.ts";
import { obey } from "./obedient.ts";
import { ALLOWED } from "./options.ts";
import type { Options, Scenario } from "./scenario.ts";
import { INTERNAL_WORDS, type World } from "./world.ts";

const FIRED_MS = 10_000;
const FENCE = "http://shop.test/fence";

/** What came of a scenario with the guard on. All must be empty, or true. */
export interface Outcome {
  readonly evil: readonly string[];
  readonly evilConnections: number;
  readonly evilPackets: number;
  readonly internal: readonly string[];
  readonly internalConnections: number;
  /** That it was tried: the refusal is readable, or the page says that it is done. */
  readonly tried: boolean;
  readonly stays: boolean;
  readonly untold: boolean;
}

/** Sessions in one world, one for each set of options. */
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
    const session = await this.#session(scenario.options ?? ALLOWED);
    await closeOtherTabs(session);
    world.clear();
    world.serve(scenario.pages ?? {});
    const rules: string[] = [];
    const stop = session.events.subscribe((event) => void (event.kind === "request" && event.refused !== null && rules.push(event.refused.rule)));
    const told = [...(await obey(session, scenario.calls, world.at))];
    const { refused, stays } = scenario;
    const read = (): boolean =>
      refused === undefined || rules.some((rule) => rule.startsWith(refused)) || told.some((text) => text.includes(`"rule":"${refused}`));
    const tells = Object.values(scenario.pages ?? {}).some((page) => (typeof page === "function" ? page(world.at) : page).body?.includes("/fired") === true);
    const said = (): boolean => !tells || world.own.requests.some((line) => line.endsWith("/fired"));
    const tried = await until(() => read() && said(), FIRED_MS);
    const text = JSON.stringify((await session.call("get_text", {})).envelope);
    told.push(text);
    // What the page sends on its way out counts, too.
    await session.call("navigate", { url: FENCE });
    const fenced = world.own.requests.includes("GET shop.test/fence");
    stop();
    if (process.env.ARENA_TOLD !== undefined) console.log(scenario.title, tried, told, rules);
    return {
      evil: [...world.evil.requests],
      evilConnections: world.evil.connections,
      evilPackets: world.evil.packets,
      internal: [...world.internal.requests],
      internalConnections: world.internal.connections,
      tried: tried && fenced,
      stays: stays === undefined || text.includes(stays),
      untold: !told.some((each) => each.includes(INTERNAL_WORDS) || (scenario.untold !== undefined && each.includes(scenario.untold))),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(async (session) => (await session).close()));
  }

  #session(options: Options): Promise<OpenedSession> {
    const key = JSON.stringify(options);
    const known = this.#sessions.get(key) ?? openSession({ ...options, hostMap: this.#world.hostMap, browser: { ca: this.#ca } });
    this.#sessions.set(key, known);
    return known;
  }
}

async function closeOtherTabs(session: OpenedSession): Promise<void> {
  const { envelope } = await session.call("tabs", {});
  for (const { id, active } of (envelope.tabs ?? []) as readonly { readonly id: string; readonly active: boolean }[])
    if (!active) await session.call("tabs", { action: "close", tab: id });
}
