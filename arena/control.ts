import { INTERNAL_NAMES } from "./internal-names.ts";
import { obeyPlainly } from "./obedient.ts";
import { type Plain, startPlain } from "./plain.ts";
import type { Scenario } from "./scenario.ts";
import { openWorld, type World } from "./world.ts";

/** A bound for a busy machine. What is known not to arrive is not waited for so long. */
const ARRIVAL_MS = 30_000;
const NO_ARRIVAL_MS = 8_000;
const CLOSE_MS = 1_000;
const LOOK_EVERY_MS = 5;

/** Chromium with nothing of ours in its way, in a world of its own. */
export class Control {
  readonly #world: World;
  readonly #plain: Plain;
  /** The first page, and those that do not close. */
  readonly #kept: Set<unknown>;

  private constructor(world: World, plain: Plain) {
    this.#world = world;
    this.#plain = plain;
    this.#kept = new Set(plain.context.pages());
  }

  static async open(trustedKey: string): Promise<Control> {
    const world = await openWorld();
    const internal = `127.0.0.1:${world.at.internalPort}`;
    const hostMap = { ...world.hostMap, ...Object.fromEntries(INTERNAL_NAMES.map((name) => [name, internal])) };
    return new Control(world, await startPlain({ hostMap, trustedKey }));
  }

  /** What of it does not arrive; empty when all does. */
  async missing(scenario: Scenario): Promise<readonly string[]> {
    const world = this.#world;
    const { context } = this.#plain;
    world.clear();
    world.serve(scenario.pages ?? {});
    const page = await context.newPage();
    try {
      await obeyPlainly(page, scenario.calls, world.at);
      if (scenario.arrives === "shown") {
        const texts = await Promise.all(page.frames().map((frame) => frame.content().catch(() => "")));
        return texts.some((text) => scenario.untold !== undefined && text.includes(scenario.untold))
          ? []
          : [scenario.title];
      }
      await until(
        () => missingAt(world, scenario).length === 0,
        scenario.notCounted === undefined ? ARRIVAL_MS : NO_ARRIVAL_MS,
      );
      return missingAt(world, scenario);
    } finally {
      // A page between two documents may take for ever to close.
      const mine = context.pages().filter((open) => !this.#kept.has(open));
      await Promise.race([Promise.all(mine.map((open) => open.close().catch(() => {}))), later(CLOSE_MS)]);
      for (const open of context.pages()) this.#kept.add(open);
    }
  }

  async close(): Promise<void> {
    await this.#plain.close();
    await this.#world.close();
  }
}
function missingAt({ evil, internal }: World, { arrives, parts, title }: Scenario): readonly string[] {
  switch (arrives) {
    case "evil":
    case "internal": {
      const { requests } = arrives === "evil" ? evil : internal;
      if (parts !== undefined) return parts.filter((part) => !requests.some((line) => lastOf(line) === part));
      return requests.length > 0 ? [] : [title];
    }
    case "evil-connection":
      return evil.connections > 0 ? [] : [title];
    case "evil-udp":
      return evil.packets > 0 ? [] : [title];
    case "shown":
      return [title];
  }
}

/** The last part of an address's path. */
export function lastOf(address: string): string {
  return (
    address
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? ""
  );
}

export async function until(is: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const endsAt = performance.now() + withinMs;
  while (!(await is())) {
    if (performance.now() >= endsAt) return false;
    await later(LOOK_EVERY_MS);
  }
  return true;
}

function later(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
