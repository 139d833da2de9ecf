import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../../src/index.ts";
import { expectUsable, timed } from "../bad-input/support.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import { type HostilePage, hostilePages } from "./pages.ts";
import { type Memory, memory } from "./support.ts";

/** A page that can be read at all is read within the default deadline of an action; of one that hangs, every call costs its own. */
const READABLE_MS = 10_000;
const HANGING_MS = 1_000;
const MAX_TABS = 8;
const MAX_RESULT_CHARS = 40_000;
/** Against a session that had seen one small page: tables of refs, blocks, events, decisions and compiled code fill up to their bounds. */
const MAX_KEPT_MB = 40;
/** Against the same page's visit before: what is more than this would grow for ever. */
const MAX_KEPT_AGAIN_MB = 5;
const VISITS = 2;
const MAX_RESIDENT_MB = 150;
const MEMORY_BACK_MS = 15_000;

const CALLS = [
  ["snapshot", { detail: "full" }],
  ["snapshot", { format: "elements" }],
  ["find", { text: "nowhere" }],
  ["get_text", {}],
  ["scroll", { direction: "bottom" }],
  ["click", { target: 'button "Nowhere"' }],
  ["screenshot", {}],
] as const;

let server: RecordingServer;
let session: OpenedSession;
let atFirst: Memory;
beforeAll(async () => {
  server = await recordingServer();
  server.html("/start", "<title>Start</title><h1>Here</h1><button>Nowhere</button>");
  for (const page of hostilePages) page.serve(server);
  session = await openSession({ ...yes, private: [server.url] });
  await expectUsable(session, `${server.url}/start`, "Here");
  atFirst = await memory();
});
afterAll(async () => {
  await session?.close();
  await server.close();
});

async function expectMemoryBack(before: Memory, keptMb: number): Promise<void> {
  server.clear();
  // Sockets of the page that was left close, and give up their buffers, a moment later.
  await expect.poll(async () => (await memory()).held - before.held, { timeout: MEMORY_BACK_MS, interval: 250 }).toBeLessThan(keptMb);
  expect((await memory()).resident - before.resident).toBeLessThan(MAX_RESIDENT_MB);
}

test.each(hostilePages)("$what: every call answers in time, the next page opens, the memory is back", { timeout: 180_000 }, async (page: HostilePage) => {
  const deadlineMs = page.readable ? READABLE_MS : HANGING_MS;
  const opened = await timed(session, "navigate", { url: `${server.url}${page.path}` }, deadlineMs);
  for (const [tool, args] of CALLS) {
    const result = await timed(session, tool, args, deadlineMs);
    expect(JSON.stringify(result).length, tool).toBeLessThan(MAX_RESULT_CHARS);
    if (page.readable && tool !== "click" && tool !== "screenshot")
      expect(result, `${tool}: ${JSON.stringify(result).slice(0, 500)}`).toMatchObject({ ok: true });
    if (page.readable && tool === "snapshot" && "detail" in args) expect(result.snapshot).toContain('heading "Top"');
  }
  expect(JSON.stringify(opened).length).toBeLessThan(MAX_RESULT_CHARS);
  const { tabs } = (await timed(session, "tabs", {}, deadlineMs)) as { readonly tabs?: readonly unknown[] };
  expect(tabs?.length).toBeLessThanOrEqual(MAX_TABS);

  await expectUsable(session, `${server.url}/start`, "Here");
  expect(await timed(session, "click", { target: 'button "Nowhere"' })).toMatchObject({ ok: true });
  expect(await timed(session, "screenshot", {})).toMatchObject({ ok: true });
  await expectMemoryBack(atFirst, MAX_KEPT_MB);
});

test.each(["1,000 frames with addresses", "50 MB of text in one paragraph"])(
  "'%s', again and again: nothing is kept of a visit",
  { timeout: 180_000 },
  async (what) => {
    const path = hostilePages.find((page) => page.what === what)?.path ?? "";
    const visit = async (): Promise<Memory> => {
      await timed(session, "navigate", { url: `${server.url}${path}` }, READABLE_MS);
      await timed(session, "snapshot", { detail: "full" }, READABLE_MS);
      await expectUsable(session, `${server.url}/start`, "Here");
      return memory();
    };
    const first = await visit();
    for (let visits = 1; visits < VISITS; visits++) await visit();
    await expectMemoryBack(first, MAX_KEPT_AGAIN_MB);
  },
);
