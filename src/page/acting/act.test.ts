import { chromium, selectors } from "playwright-core";
import { expect, test } from "vitest";
import { recordingServer } from "../../../test/servers.ts";
import { launchBrowser } from "../../browser/launch.ts";
import { openGuard, siteOf } from "../../guard/index.ts";
import { Masking } from "../../masking/masking.ts";
import type { CallId, Permit, TabId } from "../../types.ts";
import { pipeChannel } from "../../wire/channel.ts";
import { Wire } from "../../wire/wire.ts";
import { worldSource } from "../generated/world.ts";
import { lookAt } from "../snapshot/look.ts";
import { registerEngine } from "../view/engine.ts";
import { RefTable } from "../view/refs.ts";
import { type Time, View } from "../view/view.ts";
import { enter } from "./act.ts";

const PASSWORD = "tr0ub4dor-and-3";
const time: Time = { totalMs: 5_000, remainingMs: () => 5_000, signal: new AbortController().signal };

test("what the browser tells us holds no typed password before the form is submitted, but for the list by which the host masks words", async () => {
  await using server = await recordingServer();
  server.html(
    "/",
    `<form method=post action="/in"><label>Password <input type=password name=p></label><button>Go</button></form>`,
  );
  const launched = await launchBrowser();
  try {
    const channel = pipeChannel(launched.toBrowser, launched.fromBrowser);
    const told: string[] = [];
    launched.fromBrowser.on("data", (chunk: Buffer) => told.push(chunk.toString("latin1")));
    const { guard } = openGuard({
      reach: { private: [server.url] },
      mode: "act",
      ledger: null,
      clock: Date.now,
      newId: () => "t",
    });
    let call = 0;
    const permit = (): Permit => {
      const decision = guard.call({
        call: `c${++call}` as CallId,
        tool: "t",
        verb: "look",
        tab: null,
        element: null,
        values: [],
        sink: null,
      });
      if (!("permit" in decision)) throw new Error("refused" in decision ? decision.refused.reason : "asks");
      return decision.permit;
    };
    const wire = new Wire({
      channel,
      judge: guard,
      worldSource,
      causeOf: () => ({ cause: { by: "code" }, input: null }),
      now: () => performance.now(),
    });
    await wire.start(5_000);
    await registerEngine(selectors);
    const browser = await chromium.connectOverCDP(wire.transport());
    const page = await (await browser.newContext()).newPage();
    await page.goto(server.url);
    const target = wire.pages().find((candidate) => wire.frame(candidate.id)?.url === page.url())?.id ?? "";
    const view = new View({
      tab: "t1" as TabId,
      page,
      target,
      secrets: new Masking(),
      wire,
      refs: new RefTable(),
      siteOf,
      mayShow: () => true,
      now: () => performance.now(),
    });

    const field = await view.resolve({ by: "role", role: "textbox", name: "Password" }, time);
    expect(await enter(view, field, PASSWORD, permit(), { sequential: true }, time)).toBe("(secret)");
    expect(await enter(view, field, PASSWORD, permit(), {}, time)).toBe("(secret)");
    const look = await lookAt(view, { since: "nothing", maxTokens: 4_000, root: null, time });
    expect(look.text.text).toContain("(secret)");
    const list = /\\"secrets\\":\[[^\]]*\]/g;
    expect(told.join("").match(list)?.join()).toContain(PASSWORD);
    const before = told.join("").replace(list, "");
    expect(before).not.toContain(PASSWORD);
    expect(before).not.toContain(Buffer.from(PASSWORD).toString("base64"));

    // The control: the same watching does find it once the form is on its way.
    await page.locator("button").click();
    await server.waitForHit("/in");
    expect(server.hitsTo("/in")[0]?.body).toContain(PASSWORD);
    expect(told.join("")).toMatch(
      new RegExp(`${PASSWORD}|${Buffer.from(`p=${PASSWORD}`).toString("base64").slice(0, 20)}`),
    );
  } finally {
    await launched.close();
  }
});
