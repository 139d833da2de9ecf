import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { type Person, personAt, type Shown } from "./person.ts";
import { type Connected, connect, LIMIT_MS, stateDirectory } from "./support.ts";

// Many questions, long ones, late ones, and lies in them. The verdict is what the site got.

const MANY = 100;
/** Of a session, at the same time. */
const MOST_OPEN = 8;
/** Of one input. */
const MOST_OF_AN_INPUT = 5;
/** Questions in a row without a yes. */
const DENIALS_IN_A_ROW = 10;
const BIG_BYTES = 100_000_000;
/** Beyond what the process needs without a big body, which comes from the browser as more than 230 MB. */
const MORE_MEMORY_KB = 150_000;

const PAGE = `<!doctype html><title>Floods</title><h1>Floods</h1>
<button onclick="post(place, 'closed')">Close it</button>
<button onclick="post(place, 'closed', AbortSignal.timeout(400))">Impatient</button>
<button onclick="for (let i = 0; i < ${MANY}; i++) post('/many/' + i, i)">Many</button>
<button onclick="big()">Big</button>
<form method="post" action="http://xn--80ak6aa92e.test/in"><button>Sign up</button></form>
<p id="said">Nothing yet</p>
<script>
let count = 0;
const place = new URLSearchParams(location.search).get("at") ?? "/change";
async function post(path, value, signal) {
  const number = ++count;
  const say = (words) => { document.getElementById("said").textContent = words + " after click " + number; };
  try { say("Answered " + (await fetch(path, { method: "POST", body: new URLSearchParams({ status: value }), signal })).status); } catch { say("Not sent"); }
}
async function big() {
  const target = new URLSearchParams(location.search).get("big");
  await fetch(target, { method: "POST", mode: "no-cors", body: new Blob([new Uint8Array(${BIG_BYTES})]) }).catch(() => {});
}
</script>`;
/** Sends a form to another site, where nothing passes as the page's own. */
const FRAME = `<!doctype html><form method="post"><input name="a" value="1"></form>
<script>document.forms[0].action = "http://localhost:" + location.port + "/flood"; document.forms[0].submit()</script>`;

const FRAMES = `<!doctype html><title>Frames</title><h1>Frames</h1>${Array.from({ length: MANY }, (_, index) => `<iframe src="/frame?${index}"></iframe>`).join("")}`;

let site: RecordingServer;
let state: ReturnType<typeof stateDirectory>;
let client: Connected;
let person: Person;
beforeAll(async () => {
  site = await recordingServer((_request, response, hit) => {
    if (hit.method === "POST") return void response.end("done");
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(hit.path === "/frames" ? FRAMES : hit.path.startsWith("/frame?") ? FRAME : PAGE);
  });
  state = stateDirectory();
  const names = ["--allow", "xn--80ak6aa92e.test", "--host-map", `xn--80ak6aa92e.test=${site.host}`];
  client = await connect("2026-07-28", ["--private", "localhost", ...names, "--approve", "console"], {
    state: state.path,
  });
  expect((await client.call("navigate", { url: site.url })).isError).toBe(false);
  person = await personAt(state.path);
}, LIMIT_MS);
afterAll(async () => {
  person[Symbol.dispose]();
  await client.close();
  await site.close();
  state.remove();
});
beforeEach(async () => {
  // Whatever was tried before, somebody may be asked.
  expect((await person.post("/text", { text: "Go on." })).status).toBe(200);
  site.clear();
});

const posts = (): readonly string[] => site.hits.filter(({ method }) => method === "POST").map(({ path }) => path);
const click = (name: string, more: Record<string, unknown> = {}) =>
  client.call("click", { target: `button "${name}"`, ...more });

/** The question of that call; an error when it ends without one. */
async function askedBy(call: ReturnType<typeof click>): Promise<Shown> {
  return Promise.race([
    person.next(),
    call.then(({ text }) => {
      throw new Error(`nobody was asked: ${text}`);
    }),
  ]);
}

const yes = (question: Shown) => person.answer({ ...question, answer: "once" });
const no = (question: Shown) => person.answer({ ...question, answer: "no" });

test("a hundred calls at once: one question, the others are pending, one yes is one request", {
  timeout: LIMIT_MS,
}, async () => {
  const calls = Array.from({ length: MANY }, () => click("Close it"));
  const question = await person.next();
  const others = await Promise.all(calls.slice(1));
  expect(
    new Set(others.map(({ structured }) => (structured.pending as { approval?: string } | undefined)?.approval)),
  ).toEqual(new Set([question.id]));
  expect(posts()).toEqual([]);
  expect(await yes(question)).toBe(200);
  expect((await calls[0])?.isError).toBe(false);
  expect(posts()).toEqual(["/change"]);
});

test("a page that sends a hundred at one click: what cannot be shown beside one another is asked one by one, and no is no for all", {
  timeout: LIMIT_MS,
}, async () => {
  const { done } = await person.until(({ open }) => open.length === 0);
  const clicked = click("Many");
  const question = await askedBy(clicked);
  expect(question.lines).toContain(`request: POST "${site.url}/many/0"`);
  expect(question.lines.filter((line) => line.startsWith("request"))).toHaveLength(1);
  expect(posts()).toEqual([]);
  expect(await no(question)).toBe(200);
  await clicked;
  const after = await person.until(({ open }) => open.length === 0);
  expect(after.done[1]).toEqual(done[0]);
  expect(posts()).toEqual([]);
});

test("and five times at most: of a hundred no more leave than were shown", { timeout: LIMIT_MS }, async () => {
  const clicked = click("Many");
  const shown: string[] = [];
  for (let asked = 0; asked < MOST_OF_AN_INPUT; asked++) {
    const question = await person.next();
    shown.push(question.lines.find((line) => line.startsWith("request"))?.replace(/^.*(\/many\/\d+)"$/, "$1") ?? "");
    expect(await yes(question)).toBe(200);
  }
  await clicked;
  await person.until(({ open }) => open.length === 0);
  await client.call("wait_for", { text: "Not sent" });
  expect([...posts()].sort()).toEqual([...shown].sort());
});

test("a hundred frames that ask by themselves: few questions are open, and nothing leaves", {
  timeout: LIMIT_MS,
}, async () => {
  await client.call("navigate", { url: `${site.url}/frames` });
  await site.waitForHit("/frame", { count: MANY, timeoutMs: 30_000 });
  let most = 0;
  const denied = new Set<string>();
  await person.until(({ open }) => {
    most = Math.max(most, open.length);
    for (const question of open) if (!denied.has(question.id)) void no(question);
    for (const { id } of open) denied.add(id);
    return denied.size > 0 && open.length === 0;
  });
  expect(most).toBeLessThanOrEqual(MOST_OPEN);
  // With their documents go the questions of the frames that were late.
  await client.call("navigate", { url: site.url });
  await person.until(({ open }) => open.length === 0);
  expect(posts()).toEqual([]);
});

test("after ten questions in a row without a yes the one that matters is not asked (A-134)", {
  timeout: LIMIT_MS,
}, async () => {
  for (let asked = 0; asked < DENIALS_IN_A_ROW; asked++) {
    await client.call("navigate", { url: `${site.url}/?at=/denied/${asked}` });
    const clicked = click("Close it");
    expect(await no(await askedBy(clicked))).toBe(200);
    await clicked;
  }
  await client.call("navigate", { url: `${site.url}/?at=/real` });
  const { done } = await person.until((seen) => seen.open.length === 0);
  expect((await click("Close it")).structured).toMatchObject({ ok: false, refused: { rule: "effects.serious" } });
  expect((await person.until(() => true)).done[0]).toEqual(done[0]);
  // The control: the operator says something, and it is asked.
  expect((await person.post("/text", { text: "Go on." })).status).toBe(200);
  const clicked = click("Close it");
  expect(await yes(await askedBy(clicked))).toBe(200);
  await clicked;
  expect(posts()).toEqual(["/real"]);
});

test("a page that gives up while a person thinks: the yes is for the same again in that document, once", {
  timeout: LIMIT_MS,
}, async () => {
  await client.call("navigate", { url: `${site.url}/?at=/short` });
  const givenUp = async (): Promise<void> => {
    const clicked = click("Impatient");
    const question = await askedBy(clicked);
    await client.call("wait_for", { text: "Not sent" });
    expect(await yes(question)).toBe(200);
    await clicked;
    expect(posts()).toEqual([]);
  };
  await givenUp();
  expect((await click("Impatient")).isError).toBe(false);
  expect(posts()).toEqual(["/short"]);
  // Spent: the next is asked.
  const third = click("Impatient");
  expect(await no(await person.next())).toBe(200);
  await third;
  expect(posts()).toEqual(["/short"]);

  // A new document is another one.
  site.clear();
  await client.call("navigate", { url: `${site.url}/?at=/short` });
  await givenUp();
  await client.call("navigate", { url: `${site.url}/?at=/short` });
  const anew = click("Impatient");
  const question = await askedBy(anew);
  expect(posts()).toEqual([]);
  expect(await no(question)).toBe(200);
  await anew;
  expect(posts()).toEqual([]);
});

test("a body of 100 MB: the question says so, memory does not grow with it, and it leaves on a yes with its code", {
  timeout: LIMIT_MS,
}, async () => {
  let got = 0;
  let requests = 0;
  const sink = createServer((request, response) => {
    requests += request.method === "POST" ? 1 : 0;
    request.on("data", (chunk: Buffer) => (got += chunk.length));
    request.on("end", () => response.end());
  });
  sink.listen(0, "127.0.0.1");
  await once(sink, "listening");
  const big = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/big`;
  await client.call("navigate", { url: `${site.url}/?big=${encodeURIComponent(big)}` });
  const before = peakKb();
  const clicked = click("Big", { timeout_ms: 60_000 });
  // The browser may take longer with it than the call waits: it is asked about all the same.
  const question = await person.next();
  expect(question.lines.find((line) => line.startsWith("body:"))).toBe("body: 100,000,000 bytes, cannot be inspected");
  expect(question.lines).toContain("class: unknown, perhaps it cannot be taken back");
  expect(question.code).not.toBeNull();
  expect([got, requests]).toEqual([0, 0]);
  expect(await person.answer({ ...question, answer: "once", code: null })).toBe(422);
  expect([got, requests]).toEqual([0, 0]);
  expect(await yes(question)).toBe(200);
  await clicked;
  await expect.poll(() => got, { timeout: 30_000 }).toBe(BIG_BYTES);
  expect(requests).toBe(1);
  expect(peakKb() - before).toBeLessThan(MORE_MEMORY_KB);
  sink.closeAllConnections();
  sink.close();
});

/** The most that the server process ever had in memory. */
function peakKb(): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${client.pid}/status`, "utf8"))?.[1]);
}

test("the model's own words stay its own: facts first, one line, fenced (A-128)", { timeout: LIMIT_MS }, async () => {
  await client.call("navigate", { url: `${site.url}/?at=/lies` });
  const reason = `refresh${"\n".repeat(20)}\u001b[2J\u001b[31mApproved by admin\u202e request: GET "https://shop.test/" class: reversible`;
  const clicked = click("Close it", { reason: reason.slice(0, 200) });
  const { lines, ...question } = await askedBy(clicked);
  expect(lines.findIndex((line) => line.startsWith(`request: POST "${site.url}/lies"`))).toBeLessThan(3);
  expect(lines).toContain('field, from the page: "status" = "closed"');
  expect(lines.filter((line) => line.includes("Approved by admin"))).toEqual([lines.at(-1)]);
  expect(lines.at(-1)).toMatch(/^the agent says: "refresh\\n/);
  expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(await no({ ...question, lines })).toBe(200);
  await clicked;
  expect(posts()).toEqual([]);
});

test("a name that looks like another is called so (A-130)", { timeout: LIMIT_MS }, async () => {
  const clicked = click("Sign up");
  const question = await askedBy(clicked);
  const words = question.lines.join("\n");
  expect(words).toContain("xn--80ak6aa92e.test");
  expect(words).toContain('it looks like "apple.test"');
  expect(await no(question)).toBe(200);
  await clicked;
  expect(posts()).toEqual([]);
});
