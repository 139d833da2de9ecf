import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../../src/index.ts";
import { expectUsable, timed } from "../bad-input/support.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import type { HostilePage } from "./pages.ts";
import { type Memory, memory } from "./support.ts";

/**
 * A page that can be read at all is read within the default deadline of an action; of one that hangs, every call costs
 * its own.
 */
const READABLE_MS = 10_000;
const HANGING_MS = 300;
const MAX_TABS = 8;
const MAX_RESULT_CHARS = 40_000;
/**
 * Against a session that had seen one small page: tables of refs, blocks, events, decisions and compiled code fill up
 * to their bounds.
 */
const MAX_KEPT_MB = 40;
/** Against the same page's visit before: what is more than this would grow for ever. */
const MAX_KEPT_AGAIN_MB = 5;
const MAX_RESIDENT_MB = 150;
const MEMORY_BACK_MS = 15_000;
const PAGE_MS = 180_000;

const CALLS = [
  ["snapshot", { detail: "full" }],
  ["snapshot", { format: "elements" }],
  ["find", { text: "nowhere" }],
  ["get_text", {}],
  ["scroll", { direction: "bottom" }],
  ["click", { target: 'button "Nowhere"' }],
  ["screenshot", {}],
] as const;

/** Tests of these pages, all in one session; the last of them, visited so often in turn, leave nothing behind. */
export function pagesAreSurvived(
  pages: readonly HostilePage[],
  again: { readonly pages: readonly HostilePage[]; readonly visits: number },
): void {
  let server: RecordingServer;
  let session: OpenedSession;
  let atFirst: Memory;
  beforeAll(async () => {
    server = await recordingServer();
    server.html("/start", "<title>Start</title><h1>Here</h1><button>Nowhere</button>");
    for (const page of pages) page.serve(server);
    session = await openSession({ ...yes, private: [server.url] });
    await expectUsable(session, `${server.url}/start`, "Here");
    atFirst = await memory();
  });
  afterAll(async () => {
    await session?.close();
    await server?.close();
  });

  async function expectMemoryBack(before: Memory, keptMb: number): Promise<void> {
    server.clear();
    // Sockets of the page that was left close, and give up their buffers, a moment later.
    await expect
      .poll(async () => (await memory()).held - before.held, { timeout: MEMORY_BACK_MS, interval: 250 })
      .toBeLessThan(keptMb);
    expect((await memory()).resident - before.resident).toBeLessThan(MAX_RESIDENT_MB);
  }

  test.each(pages)(
    "$what: every call answers in time, the next page opens, the memory is back",
    { timeout: PAGE_MS },
    async (page: HostilePage) => {
      const deadlineMs = page.readable ? READABLE_MS : HANGING_MS;
      const opened = await timed(session, "navigate", { url: `${server.url}${page.path}` }, deadlineMs);
      for (const [tool, args] of CALLS) {
        const result = await timed(session, tool, args, deadlineMs);
        expect(JSON.stringify(result).length, tool).toBeLessThan(MAX_RESULT_CHARS);
        if (page.readable && tool !== "click" && tool !== "screenshot")
          expect(result, `${tool}: ${JSON.stringify(result).slice(0, 500)}`).toMatchObject({ ok: true });
        if (page.readable && tool === "snapshot" && "detail" in args)
          expect(result.snapshot).toContain('heading "Top"');
      }
      expect(JSON.stringify(opened).length).toBeLessThan(MAX_RESULT_CHARS);
      const { tabs } = (await timed(session, "tabs", {}, READABLE_MS)) as { readonly tabs?: readonly unknown[] };
      expect(tabs?.length).toBeLessThanOrEqual(MAX_TABS);

      await expectUsable(session, `${server.url}/start`, "Here");
      expect(await timed(session, "click", { target: 'button "Nowhere"' }, READABLE_MS)).toMatchObject({ ok: true });
      expect(await timed(session, "screenshot", {}, READABLE_MS)).toMatchObject({ ok: true });
      await expectMemoryBack(atFirst, MAX_KEPT_MB);
    },
  );

  if (again.pages.length === 0) return;
  test.each(again.pages)(
    "$what, again and again: nothing is kept of a visit",
    { timeout: again.visits * PAGE_MS },
    async ({ what, path }: HostilePage) => {
      const visit = async (): Promise<Memory> => {
        await timed(session, "navigate", { url: `${server.url}${path}` }, READABLE_MS);
        await timed(session, "snapshot", { detail: "full" }, READABLE_MS);
        await expectUsable(session, `${server.url}/start`, "Here");
        return memory();
      };
      const first = await visit();
      const kept: string[] = [];
      for (let visits = 1; visits < again.visits; visits++) kept.push(((await visit()).held - first.held).toFixed(1));
      console.log(`${what}: against the first visit MB more are held after each of the next ones: ${kept.join(", ")}`);
      await expectMemoryBack(first, MAX_KEPT_AGAIN_MB);
    },
  );
}
