/** One tab in a real Chromium behind the wire, as a session works with it: pages by HTML, looks, targets, acts. */

import { chromium, type Page, selectors } from "playwright-core";
import { type RecordingServer, recordingServer } from "../../../test/servers.ts";
import { launchBrowser } from "../../browser/launch.ts";
import { Failure } from "../../errors.ts";
import { openGuard, siteOf } from "../../guard/index.ts";
import { Masking } from "../../masking/masking.ts";
import type { CallId, Element, Permit, Ref, TabId, Target } from "../../types.ts";
import { pipeChannel } from "../../wire/channel.ts";
import { Wire } from "../../wire/wire.ts";
import { press } from "../acting/act.ts";
import { worldSource } from "../generated/world.ts";
import { lookAt } from "../snapshot/look.ts";
import { registerEngine } from "./engine.ts";
import { RefTable } from "./refs.ts";
import { type Time, View } from "./view.ts";

const DEADLINE_MS = 5_000;

export const time: Time = {
  totalMs: DEADLINE_MS,
  remainingMs: () => DEADLINE_MS,
  signal: new AbortController().signal,
};

export interface Bench extends AsyncDisposable {
  readonly server: RecordingServer;
  readonly other: RecordingServer;
  readonly page: Page;
  readonly view: View;
  open(html: string): Promise<void>;
  look(): Promise<string>;
  /** The ref right before what matches, else the first one in its line or after. */
  refOf(text: string, pattern: RegExp): Ref;
  resolve(target: Target | Ref): Promise<Element>;
  permit(): Permit;
  /** All that the browser sends from now on, as it comes. */
  hear(listener: (bytes: Buffer) => void): void;
  /** "done", or the code of the failure. */
  click(target: Target | Ref, at?: { readonly x: number; readonly y: number }): Promise<string>;
}

const isRef = (target: Target | Ref): target is Ref => typeof target === "string";

export async function openBench(): Promise<Bench> {
  const server = await recordingServer();
  const other = await recordingServer();
  const launched = await launchBrowser();
  const { guard } = openGuard({
    reach: { private: [server.url, other.url] },
    mode: "act",
    ledger: null,
    clock: Date.now,
    newId: () => "t",
  });
  let calls = 0;
  const permit = (): Permit => {
    const decision = guard.call({
      call: `c${++calls}` as CallId,
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
    channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
    judge: guard,
    worldSource,
    causeOf: () => ({ cause: { by: "code" }, input: null }),
    now: () => performance.now(),
  });
  await wire.start(DEADLINE_MS);
  await registerEngine(selectors);
  const browser = await chromium.connectOverCDP(wire.transport());
  const page = await (await browser.newContext({ viewport: { width: 1_000, height: 800 } })).newPage();
  await page.goto("about:blank");
  const target = wire.pages()[0]?.id ?? "";
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
  const resolve = (given: Target | Ref): Promise<Element> =>
    view.resolve(isRef(given) ? { by: "ref", ref: given } : given, time);
  return {
    server,
    other,
    page,
    view,
    permit,
    hear: (listener) => void launched.fromBrowser.on("data", listener),
    resolve,
    async open(html) {
      server.html("/", html);
      await page.goto(`${server.url}/`);
    },
    look: async () => (await lookAt(view, { since: "nothing", maxTokens: 16_000, root: null, time })).text.text,
    refOf(text, pattern) {
      const from = text.search(pattern);
      if (from === -1) throw new Error(`${String(pattern)} is not in:\n${text}`);
      const start = text.lastIndexOf("\n", from) + 1;
      const own = /\b(e\d+) (?:[a-z]+ )?$/.exec(text.slice(start, from))?.[1];
      if (own !== undefined) return own as Ref;
      const found = /\be\d+\b/.exec(text.slice(start).replace(/"(?:[^"\\]|\\.)*"/g, ""));
      if (found === null) throw new Error("no ref there");
      return found[0] as Ref;
    },
    async click(given, at) {
      try {
        await press(view, await resolve(given), permit(), { at }, time);
        return "done";
      } catch (error) {
        if (Failure.is(error)) return error.code;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await launched.close();
      await server.close();
      await other.close();
    },
  };
}
