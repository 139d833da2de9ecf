/// <reference lib="dom" />
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { postHeaders, send } from "../../src/console/console.fixture.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { type Person, personAt, type Shown } from "./person.ts";
import { buttonSite, type Connected, connect, elapsed, LIMIT_MS, stateDirectory } from "./support.ts";

// nothing that an agent or a page can reach answers. The verdict is what the site got.

/** A person who reads. */
const READS_MS = 100;

let site: Awaited<ReturnType<typeof buttonSite>>;
let elsewhere: RecordingServer;
let state: ReturnType<typeof stateDirectory>;
let client: Connected;
let person: Person;
beforeAll(async () => {
  site = await buttonSite();
  // Refuses like the console does: whoever reaches it sees that much.
  elsewhere = await recordingServer((_request, response) => response.writeHead(403).end());
  state = stateDirectory();
  client = await connect("2026-07-28", ["--private", "localhost", "--approve", "console"], { state: state.path });
  expect((await client.call("navigate", { url: site.url })).isError).toBe(false);
  person = await personAt(state.path);
}, LIMIT_MS);
afterAll(async () => {
  person[Symbol.dispose]();
  await client.close();
  await site.close();
  await elsewhere.close();
  state.remove();
});
beforeEach(() => site.clear());

interface Clicked {
  readonly question: Shown;
  readonly result: ReturnType<Connected["call"]>;
}

async function clicked(button = "Close it"): Promise<Clicked> {
  const result = client.call("click", { target: `button "${button}"` });
  return { question: await person.next(), result };
}

/** Ends what a test left open, and proves that it was: the person's own yes still counts. */
async function saidYes({ question, result }: Clicked): Promise<void> {
  expect(site.posts()).toBe(0);
  expect(await person.answer({ ...question, answer: "once" })).toBe(200);
  expect((await result).isError).toBe(false);
  expect(site.posts()).toBe(1);
}

const bodyOf = ({ id, digest }: Shown): string => JSON.stringify({ id, digest, answer: "once" });

test("by hand, without the key, or with most of it (A-133)", { timeout: LIMIT_MS }, async () => {
  const now = await clicked();
  const body = bodyOf(now.question);
  const { port, headers } = person;
  const [cookie, token] = headers;
  if (cookie === undefined || token === undefined) throw new Error("nobody signed in");
  const right = postHeaders(port, body, headers);
  const with_ = (name: string, ...values: string[]) => [
    ...right.filter(([known]) => known !== name),
    ...values.map((value) => [name, value] as const),
  ];
  const tries: (readonly [string, typeof right])[] = [
    ["POST /answer", postHeaders(port, body)],
    ["POST /answer", postHeaders(port, body, [cookie])],
    ["POST /answer", postHeaders(port, body, [token])],
    ["POST /answer", postHeaders(port, body, [cookie, ["X-Chaperone-Token", "x".repeat(43)]])],
    ["POST /answer", postHeaders(port, body, [["Cookie", `${cookie[1].split("=")[0]}=${"x".repeat(43)}`], token])],
    ["POST /answer", with_("Origin", site.url)],
    ["POST /answer", with_("Origin", "null")],
    ["POST /answer", with_("Origin")],
    ["POST /answer", with_("Host", `rebound.test:${port}`)],
    ["POST /answer", with_("Host", `127.0.0.1:${site.port}`)],
    ["POST /answer", with_("Sec-Fetch-Site", "same-site")],
    ["POST /answer", with_("Sec-Fetch-Site", "cross-site")],
    ["POST /answer", with_("Content-Type", "text/plain")],
    [`POST /answer?${token[1]}`, postHeaders(port, body)],
    ["PUT /answer", right],
    ["GET /answer", right],
  ];
  const statuses = await Promise.all(
    tries.map(([line, lines]) => send(port, line, lines, body).then(({ status }) => status)),
  );
  expect(statuses.filter((status) => ![403, 415].includes(status))).toEqual([]);
  await saidYes(now);
});

test("twice, late, with a wrong id, another's digest, or what was not offered (A-131)", {
  timeout: LIMIT_MS,
}, async () => {
  const first = await clicked();
  const { id, digest } = first.question;
  expect(await person.answer({ id: "q999", digest, answer: "once" })).toBe(409);
  expect(await person.answer({ id, digest: "0".repeat(64), answer: "once" })).toBe(409);
  expect(await person.answer({ id, digest, answer: "always" })).toBe(400);
  expect(site.posts()).toBe(0);
  expect(await person.answer({ id, digest, answer: "no" })).toBe(200);
  expect((await first.result).isError).toBe(true);
  // Late, and a change of mind.
  expect(await person.answer({ id, digest, answer: "once" })).toBe(409);
  const second = await clicked("Open it");
  expect(await person.answer({ id, digest, answer: "once" })).toBe(409);
  expect(await person.answer({ id: second.question.id, digest, answer: "once" })).toBe(409);
  await saidYes(second);
  // Twice: two pages of one person at the same time.
  site.clear();
  const third = await clicked();
  using other = await personAt(state.path);
  const both = await Promise.all([person, other].map((one) => one.answer({ ...third.question, answer: "once" })));
  expect(both.sort()).toEqual([200, 409]);
  expect((await third.result).isError).toBe(false);
  expect(site.posts()).toBe(1);
});

test("a console that is closed midway, and comes back", { timeout: LIMIT_MS }, async () => {
  const leaving = await personAt(state.path);
  const now = await clicked();
  await leaving.until(({ open }) => open.length === 1);
  leaving[Symbol.dispose]();
  await elapsed(READS_MS);
  expect(site.posts()).toBe(0);
  using back = await personAt(state.path);
  const { open } = await back.until((seen) => seen.open.length === 1);
  expect(open[0]?.digest).toBe(now.question.digest);
  await saidYes(now);
});

test("the console and the key of another session (A-133)", { timeout: LIMIT_MS }, async () => {
  const own = stateDirectory();
  const other = await connect("2025", ["--private", "localhost", "--approve", "console"], { state: own.path });
  await other.call("navigate", { url: site.url });
  using stranger = await personAt(own.path);
  const now = await clicked();
  const body = bodyOf(now.question);
  expect(await stranger.answer({ ...now.question, answer: "once" })).toBe(409);
  expect((await send(person.port, "POST /answer", postHeaders(person.port, body, stranger.headers), body)).status).toBe(
    403,
  );
  const renamed = stranger.headers.map(
    ([name, value]) => [name, value.replace(`chaperone-${stranger.port}`, `chaperone-${person.port}`)] as const,
  );
  expect((await send(person.port, "POST /answer", postHeaders(person.port, body, renamed), body)).status).toBe(403);
  // Its browser may go to other ports of this machine, and gets no further there than anybody.
  const foreign = await other.call("navigate", { url: `http://127.0.0.1:${person.port}/` });
  expect(foreign.text).not.toContain("Questions");
  await other.close();
  own.remove();
  await saidYes(now);
});

describe("from the agent's own browser, with loopback open to it", () => {
  test("by a call (A-133)", { timeout: LIMIT_MS }, async () => {
    const { port } = person;
    for (const host of [
      "127.0.0.1",
      "localhost",
      "127.1",
      "0.0.0.0",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "127.0.0.1.",
      "localhost.",
    ]) {
      const gone = await client.call("navigate", { url: `http://${host}:${port}/open` });
      expect([host, gone.isError, gone.text.includes("Chaperone")]).toEqual([host, true, false]);
    }
    // The control: another port of this machine is reached, whatever it says.
    elsewhere.clear();
    await client.call("navigate", { url: `${elsewhere.url}/control` });
    expect(elsewhere.hitsTo("/control")).toHaveLength(1);
    expect((await client.call("navigate", { url: site.url })).isError).toBe(false);
  });

  test("by a page that tries everything (A-133)", { timeout: LIMIT_MS }, async () => {
    const page = (port: number, path: string) => `<!doctype html><title>Evil</title><h1>Evil</h1>
<button onclick="attack()">Try</button><p id="said">Nothing yet</p>
<script>const attack = () => (${String(tryEverything)})(${port}, "${path}").then((seen) => { document.getElementById("said").textContent = "Came back: " + (seen.join(", ") || "nothing"); });</script>`;
    site.on("/evil", (_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(page(person.port, "answer")),
    );
    site.on("/control", (_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(page(elsewhere.port, "answer")),
    );
    await client.call("navigate", { url: `${site.url}/evil` });
    const before = (await person.until(() => true)).open.length;
    const tried = client.call("click", { target: 'button "Try"' });
    // What posts is asked about before it gets nowhere.
    const asked = await person
      .next()
      .then((question) => person.answer({ ...question, answer: "once", code: question.code }));
    expect([before, asked]).toEqual([0, 200]);
    await tried;
    await client.call("wait_for", { text: "Came back" });
    expect((await client.call("snapshot", { detail: "full" })).text).toContain("Came back: nothing");
    expect(elsewhere.hits.filter(({ path }) => path === "/answer")).toEqual([]);

    // The control: where nothing keeps it away, the same page gets through.
    await client.call("navigate", { url: `${site.url}/control` });
    const through = client.call("click", { target: 'button "Try"' });
    await person.next().then((question) => person.answer({ ...question, answer: "once", code: question.code }));
    await through;
    await elsewhere.waitForHit("/answer");
    site.on("/evil", (_request, response) => response.writeHead(404).end());
    expect((await client.call("navigate", { url: site.url })).isError).toBe(false);
    site.clear();
    await saidYes(await clicked());
  });
});

/** Runs in the page. What came back from that port, by name. */
async function tryEverything(port: number, path: string): Promise<readonly string[]> {
  const body = JSON.stringify({ id: "q1", digest: "0", answer: "once" });
  const seen: string[] = [];
  const hosts = ["127.0.0.1", "localhost"];
  const within = <T>(work: Promise<T>) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 1500))]);
  const attempts = hosts.flatMap((host) => {
    const url = `http://${host}:${port}/${path}`;
    return [
      fetch(url, { method: "POST", mode: "no-cors", credentials: "include", body }).then(() => seen.push("fetch")),
      fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body }).then(() =>
        seen.push("fetch with headers"),
      ),
      fetch(url, { mode: "no-cors" }).then(() => seen.push("get")),
      new Promise<void>((resolve) => {
        const socket = new WebSocket(url.replace("http", "ws"));
        socket.onopen = () => resolve(void seen.push("socket"));
        socket.onerror = () => resolve();
      }),
      new Promise<void>((resolve) => {
        const source = new EventSource(url);
        source.onopen = () => resolve(void seen.push("event source"));
        source.onerror = () => resolve(source.close());
      }),
      new Promise<void>((resolve) => {
        const frame = document.createElement("iframe");
        frame.src = url;
        frame.onload = () => resolve();
        document.body.append(frame);
      }),
      new Promise<void>((resolve) => {
        const frame = document.createElement("iframe");
        frame.name = `target-${host}`;
        document.body.append(frame);
        const form = document.createElement("form");
        Object.assign(form, { method: "post", action: url, enctype: "text/plain", target: frame.name });
        document.body.append(form);
        form.submit();
        resolve();
      }),
    ];
  });
  navigator.sendBeacon(`http://127.0.0.1:${port}/${path}`, body);
  await within(Promise.allSettled(attempts));
  return seen;
}
