import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { INTERNAL_NAMES } from "./internal-names.ts";
import { obeyPlainly } from "./obedient.ts";
import type { Arrival, Scenario } from "./scenario.ts";
import type { World } from "./world.ts";

const ARRIVAL_MS = 8_000;
const LOOK_EVERY_MS = 5;

/** Chromium with nothing of ours in its way, in a world of its own. A profile, since only there it preconnects. */
export interface Control {
  /** Whether the attack arrives. */
  arrives(scenario: Scenario): Promise<boolean>;
  close(): Promise<void>;
}

export async function startControl(world: World, trustedKey: string): Promise<Control> {
  const directory = await mkdtemp(join(tmpdir(), "arena-"));
  const internal = `127.0.0.1:${world.at.internalPort}`;
  const mapped = [...Object.entries(world.hostMap), ...INTERNAL_NAMES.map((name) => [name, internal] as const)];
  const context: BrowserContext = await chromium.launchPersistentContext(directory, {
    executablePath: process.env.CHAPERONE_BROWSER ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      `--host-resolver-rules=${mapped.map(([name, place]) => `MAP ${name} ${place}`).join(",")}`,
      `--ignore-certificate-errors-spki-list=${trustedKey}`,
    ],
    ignoreDefaultArgs: ["--disable-popup-blocking"],
  });
  return {
    async arrives(scenario) {
      world.clear();
      world.serve(scenario.pages ?? {});
      const page = await context.newPage();
      try {
        await obeyPlainly(page, scenario.calls, world.at);
        return await until(() => arrivedAt(world, scenario.arrives), scenario.notCounted === undefined ? ARRIVAL_MS : 0);
      } finally {
        for (const open of context.pages()) if (open !== context.pages()[0]) await open.close({ runBeforeUnload: false }).catch(() => {});
      }
    },
    close: async () => {
      await context.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function arrivedAt({ evil, internal }: World, where: Arrival): boolean {
  switch (where) {
    case "evil":
      return evil.requests.length > 0;
    case "evil-connection":
      return evil.connections > 0;
    case "evil-udp":
      return evil.packets > 0;
    case "internal":
      return internal.requests.length + internal.connections > 0;
  }
}

export async function until(is: () => boolean, withinMs: number): Promise<boolean> {
  const endsAt = performance.now() + withinMs;
  while (!is()) {
    if (performance.now() >= endsAt) return false;
    await new Promise((next) => setTimeout(next, LOOK_EVERY_MS));
  }
  return true;
}
