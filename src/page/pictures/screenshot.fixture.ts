/** A real Chromium with wire and view, for tests of pictures. */

import { chromium, type Page } from "playwright-core";
import { launchBrowser } from "../../browser/launch.ts";
import { openGuard } from "../../guard/index.ts";
import { Masking } from "../../masking/masking.ts";
import type { CallId, Permit, Site, TabId, Verdict } from "../../types.ts";
import { pipeChannel } from "../../wire/channel.ts";
import { Wire } from "../../wire/wire.ts";
import { worldSource } from "../generated/world.ts";
import { RefTable } from "../view/refs.ts";
import { type Time, View } from "../view/view.ts";

const ALLOW: Verdict = { verdict: "allow", rule: "reach.scope" };

export interface OpenedView extends AsyncDisposable {
  readonly page: Page;
  readonly view: View;
}

export interface Studio {
  open(url: string): Promise<OpenedView>;
  close(): Promise<void>;
}

export async function openStudio(mayShow: (url: string) => boolean = () => true): Promise<Studio> {
  const launched = await launchBrowser();
  const now = (): number => performance.now();
  const wire = new Wire({
    channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
    judge: { request: () => ALLOW },
    worldSource,
    causeOf: () => ({ cause: { by: "page" }, input: null }),
    now,
  });
  await wire.start(10_000);
  const browser = await chromium.connectOverCDP(wire.transport());
  return {
    async open(url) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(url);
      const session = await context.newCDPSession(page);
      const { targetInfo } = await session.send("Target.getTargetInfo");
      await session.detach();
      const view = new View({
        tab: "t1" as TabId,
        page,
        target: targetInfo.targetId,
        secrets: new Masking(),
        wire,
        refs: new RefTable(),
        mayShow,
        siteOf: (of) => new URL(of).host as Site,
        now,
      });
      return { page, view, [Symbol.asyncDispose]: () => context.close() };
    },
    close: () => launched.close(),
  };
}

export function timeOf(totalMs = 15_000): Time {
  const end = performance.now() + totalMs;
  return { totalMs, remainingMs: () => Math.max(0, end - performance.now()), signal: new AbortController().signal };
}

let calls = 0;
export function permit(): Permit {
  calls += 1;
  const { guard } = openGuard({ reach: {}, ledger: null, clock: () => 0, newId: () => `s${calls}` });
  const decision = guard.call({
    call: `c${calls}` as CallId,
    tool: "screenshot",
    verb: "look",
    tab: "t1" as TabId,
    element: null,
    values: [],
    sink: null,
  });
  if (!("permit" in decision)) throw new Error("no permit");
  return decision.permit;
}
