import { afterAll, beforeAll, expect, test } from "vitest";
import { type BrowserEvent, type OpenedSession, openSession } from "../../src/index.ts";
import { chromiumProgram } from "../chromium-program.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";

/* What a frame says by itself, and what it gets of an answer that was prepared for its page. */

const CODE = "424242-for-the-page";
const FRAME = `<!doctype html><link rel="icon" href="data:,"><script>
  console.log("frame line"); console.error("frame error"); setTimeout(() => { throw new Error("frame fault") });
  onmessage = () => { const code = prompt("frame question"); document.body.append(Object.assign(new Image(), { src: "/got?" + code })) };
</script><body>words`;
const page = (host: string): string => `<!doctype html><link rel="icon" href="data:,"><title>page</title>
  <iframe id="f" src="http://${host}/frame"></iframe><output></output>
  <button onclick="f.contentWindow.postMessage(1, '*')">Let it ask</button>
  <button onclick="document.querySelector('output').textContent = prompt('page question')">Ask</button>
  <script>console.log("page line")</script>`;

let server: RecordingServer;
let session: OpenedSession;
const events: BrowserEvent[] = [];
beforeAll(async () => {
  server = await recordingServer();
  server.html("/frame", FRAME);
  for (const host of ["shop.test", "pay.test"]) server.html(`/at-${host}`, page(host));
  session = await openSession({
    ...yes,
    allow: ["shop.test"],
    helpers: ["pay.test"],
    hostMap: { "shop.test": server.host, "pay.test": server.host },
    browser: { path: chromiumProgram() },
  });
  session.events.subscribe((event) => events.push(event));
});
afterAll(async () => {
  await session.close();
  await server.close();
});

/** What the model was told and what the program heard, and what became of the answer. */
async function asked(host: string): Promise<{ readonly words: string; readonly got: readonly string[] }> {
  server.clear();
  events.length = 0;
  const told: unknown[] = [await session.call("navigate", { url: `http://shop.test/at-${host}` })];
  await session.call("handle_next_dialog", { accept: true, prompt_text: CODE });
  told.push(await session.call("click", { target: 'button "Let it ask"' }));
  await server.waitForHit("/got");
  told.push(await session.call("click", { target: 'button "Ask"' }), await session.call("console_messages", {}));
  return {
    words: JSON.stringify([told, events]),
    got: server.hitsTo("/got").map(({ path }) => path),
  };
}

test("one that may not be shown says nothing, and the answer is the page's", async () => {
  const { words, got } = await asked("pay.test");
  expect(words).not.toContain("frame line");
  for (const said of ["frame error", "frame fault", "frame question"]) expect(words).not.toContain(said);
  expect(words).toContain("page line");
  expect(words).toContain("page question");
  expect(words).toContain("out of reach");
  expect(got).toEqual(["/got?null"]);
  expect(words).toContain(CODE);
});

// Second: the console's lines stay.
test("the control: a frame of the page's own origin speaks, and may have the answer", async () => {
  const { words, got } = await asked("shop.test");
  for (const said of ["frame line", "frame error", "frame fault", "frame question"]) expect(words).toContain(said);
  expect(got).toEqual([`/got?${CODE}`]);
});
