import { setMaxListeners } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "../types.ts";
import {
  type ConsoleStage,
  exchange,
  type HeaderList,
  LIFE_MS,
  postHeaders,
  questionOf,
  type Reply,
  SESSION,
  type SignedIn,
  send,
  signIn,
  stageConsole,
} from "./console.fixture.ts";

const never = new AbortController().signal;
setMaxListeners(0, never);
let stage: ConsoleStage;
let me: SignedIn;
beforeEach(async () => {
  stage = await stageConsole();
  me = await signIn(stage);
});
afterEach(() => stage[Symbol.asyncDispose]());

type Body = Readonly<Record<string, unknown>>;

const bodyOf = (number: number, answer: string): Body => ({
  id: `q${number}`,
  digest: questionOf(number).digest,
  answer,
});

function answer(body: Body, signedIn: HeaderList = me.headers): Promise<Reply> {
  const text = JSON.stringify(body);
  return send(stage.port, "POST /answer", postHeaders(stage.port, text, signedIn), text);
}

/** The headers with one of them replaced, or without it. */
function but(headers: HeaderList, name: string, ...values: readonly string[]): HeaderList {
  return [
    ...headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    ...values.map((value) => [name, value] as const),
  ];
}

describe("nobody else answers", () => {
  interface Attempt {
    readonly line?: string;
    readonly headers?: (headers: HeaderList, port: number) => HeaderList;
    readonly body?: (body: string) => string;
  }
  const attempts: readonly [string, Attempt][] = [
    ["no cookie", { headers: (headers) => but(headers, "Cookie") }],
    ["an empty cookie", { headers: (headers, port) => but(headers, "Cookie", `chaperone-${port}=`) }],
    ["a wrong cookie", { headers: (headers, port) => but(headers, "Cookie", `chaperone-${port}=${"A".repeat(43)}`) }],
    ["no token", { headers: (headers) => but(headers, "X-Chaperone-Token") }],
    ["a wrong token", { headers: (headers) => but(headers, "X-Chaperone-Token", "A".repeat(43)) }],
    ["two tokens", { headers: (headers) => [...headers, ["X-Chaperone-Token", "A".repeat(43)]] }],
    ["no Host", { headers: (headers) => but(headers, "Host") }],
    ["two Hosts", { headers: (headers, port) => [...headers, ["Host", `127.0.0.1:${port}`]] }],
    ["a Host that was rebound", { headers: (headers, port) => but(headers, "Host", `evil.test:${port}`) }],
    [
      "a rebound name's own page",
      {
        headers: (headers, port) =>
          but(but(headers, "Host", `evil.test:${port}`), "Origin", `http://evil.test:${port}`),
      },
    ],
    ["a Host with a user", { headers: (headers, port) => but(headers, "Host", `evil@localhost:${port}`) }],
    ["a Host without its port", { headers: (headers) => but(headers, "Host", "127.0.0.1") }],
    ["another name of the host", { headers: (headers, port) => but(headers, "Host", `127.1:${port}`) }],
    ["no Origin", { headers: (headers) => but(headers, "Origin") }],
    ["a null Origin", { headers: (headers) => but(headers, "Origin", "null") }],
    ["a foreign Origin", { headers: (headers) => but(headers, "Origin", "http://evil.test") }],
    [
      "the Origin of another port",
      { headers: (headers, port) => but(headers, "Origin", `http://127.0.0.1:${port + 1}`) },
    ],
    ["the Origin by another name", { headers: (headers, port) => but(headers, "Origin", `http://localhost:${port}`) }],
    ["two Origins", { headers: (headers) => [...headers, ["Origin", "http://evil.test"]] }],
    ["a cross-site request", { headers: (headers) => but(headers, "Sec-Fetch-Site", "cross-site") }],
    ["another port's page", { headers: (headers) => but(headers, "Sec-Fetch-Site", "same-site") }],
    ["a text/plain body", { headers: (headers) => but(headers, "Content-Type", "text/plain") }],
    ["a form's body", { headers: (headers) => but(headers, "Content-Type", "application/x-www-form-urlencoded") }],
    ["no content type", { headers: (headers) => but(headers, "Content-Type") }],
    ["JSON and more", { headers: (headers) => but(headers, "Content-Type", "text/plain; application/json") }],
    ["an encoded body", { headers: (headers) => [...headers, ["Content-Encoding", "gzip"]] }],
    ["GET", { line: "GET /answer" }],
    ["PUT", { line: "PUT /answer" }],
    ["OPTIONS", { line: "OPTIONS /answer" }],
    ["a query", { line: "POST /answer?" }],
    ["an absolute address", { line: "POST http://evil.test/answer" }],
    ["a path that leads there", { line: "POST /x/../answer" }],
    ["the opening path", { line: "POST /open" }],
    ["a body of 100 kB", { body: (body) => `${body.slice(0, -1)}${" ".repeat(100_000)}}` }],
    ["a body said to be of 100 MB", { headers: (headers) => but(headers, "Content-Length", "100000000") }],
    [
      "a body in chunks without an end",
      {
        headers: (headers) => [...but(headers, "Content-Length"), ["Transfer-Encoding", "chunked"]],
        body: () => `fffff\r\n${" ".repeat(0xfffff)}\r\n`,
      },
    ],
    ["no JSON", { body: (body) => body.slice(1) }],
    ["an unknown field", { body: (body) => `${body.slice(0, -1)},"more":1}` }],
    ["an unknown answer", { body: (body) => body.replace("task", "yes") }],
    ["a wrong question", { body: (body) => body.replace("q1", "q2") }],
    ["a wrong digest", { body: (body) => body.replace(/0001"/, `0002"`) }],
    ["no digest", { body: (body) => body.replace(/"digest":"\w+",/, "") }],
    ["a name that all objects have", { body: (body) => body.replace("q1", "__proto__") }],
  ];

  it.each(attempts)("%s", async (_name, { line = "POST /answer", headers = (same) => same, body = (same) => same }) => {
    const asked = stage.console.approver.ask(questionOf(1), never);
    const text = body(JSON.stringify(bodyOf(1, "task")));
    const reply = await send(stage.port, line, headers(postHeaders(stage.port, text, me.headers), stage.port), text);
    // A connection that was cut (0) is no answer either.
    expect(reply.status === 0 || (reply.status >= 400 && reply.status < 500)).toBe(true);
    expect(reply.body).not.toMatch(/Host|Origin|token|cookie|digest/i);
    expect(reply.head).not.toMatch(/access-control/i);
    // The control: the same without what is wrong.
    expect((await answer(bodyOf(1, "once"))).status).toBe(200);
    expect(await asked).toEqual({ answer: "once" });
  });

  it("the one of another session", async () => {
    await using other = await stageConsole({ sessionId: "other" });
    const theirs = await exchange(other.port, (await stage.entry()).key);
    expect(theirs.status).toBe(403);
    const asked = other.console.approver.ask(questionOf(1), never);
    const text = JSON.stringify(bodyOf(1, "task"));
    const named = me.headers.map(
      ([name, value]) => [name, value.replace(`chaperone-${stage.port}`, `chaperone-${other.port}`)] as const,
    );
    expect((await send(other.port, "POST /answer", postHeaders(other.port, text, named), text)).status).toBe(403);
    await other.console.close();
    expect(await asked).toBeNull();
  });
});

describe("a key", () => {
  it("opens once, and the next one is another", async () => {
    const { key } = await stage.entry();
    expect((await exchange(stage.port, key)).status).toBe(200);
    expect((await exchange(stage.port, key)).status).toBe(403);
    const next = (await stage.entry()).key;
    expect(next).not.toBe(key);
    expect((await exchange(stage.port, next)).status).toBe(200);
  });

  it.each([
    ["empty", ""],
    ["wrong", "A".repeat(43)],
    ["longer", "A".repeat(60_000)],
  ])("that is %s opens nothing", async (_name, key) => {
    const reply = await exchange(stage.port, key);
    expect([reply.status, reply.head.includes("set-cookie")]).toEqual([403, false]);
  });

  it("has 256 bits, in a file for its owner only, in a directory of the same", async () => {
    const { key, pid, port } = await stage.entry();
    expect([Buffer.from(key, "base64url").length * 8, pid, port]).toEqual([256, process.pid, stage.port]);
    expect((await stat(join(stage.directory, `${SESSION}.json`))).mode & 0o777).toBe(0o600);
    expect((await stat(stage.directory)).mode & 0o777).toBe(0o700);
    await stage.console.close();
    expect(await readdir(stage.directory)).toEqual([]);
  });

  it("is exchanged for a cookie that scripts and other sites do not get", async () => {
    const reply = await exchange(stage.port, (await stage.entry()).key);
    expect(reply.head).toMatch(
      new RegExp(`set-cookie: chaperone-${stage.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict`, "i"),
    );
  });
});

describe("pages", () => {
  const get = (path: string, headers: HeaderList = []): Promise<Reply> =>
    send(stage.port, `GET ${path}`, [["Host", `127.0.0.1:${stage.port}`], ["Connection", "close"], ...headers]);

  it("the console is for those who signed in, and holds no secret", async () => {
    expect((await get("/")).status).toBe(403);
    expect((await get("/state", [["Cookie", me.cookie]])).status).toBe(403);
    const { status, head, body } = await get("/", [["Cookie", me.cookie]]);
    expect(status).toBe(200);
    expect(body).not.toContain(me.token);
    expect(head).toMatch(
      /content-security-policy: default-src 'none';.*frame-ancestors 'none'; script-src 'nonce-[\w-]+'/i,
    );
    for (const header of [
      "x-frame-options: DENY",
      "cache-control: no-store",
      "referrer-policy: no-referrer",
      "x-content-type-options: nosniff",
    ])
      expect(head.toLowerCase()).toContain(header.toLowerCase());
    const nonce = /nonce-([\w-]+)/.exec(head)?.[1];
    expect(body.match(/nonce="([\w-]+)"/g)).toEqual([`nonce="${nonce}"`, `nonce="${nonce}"`]);
    expect((await get("/", [["Cookie", me.cookie]])).head).not.toContain(nonce);
  });

  it("only the opening page may be come to from elsewhere, and only as a page", async () => {
    const arriving: HeaderList = [
      ["Sec-Fetch-Site", "cross-site"],
      ["Sec-Fetch-Mode", "navigate"],
      ["Sec-Fetch-Dest", "document"],
    ];
    expect((await get("/open", arriving)).status).toBe(200);
    expect((await get("/open", but(arriving, "Sec-Fetch-Dest", "iframe"))).status).toBe(403);
    expect((await get("/open", but(arriving, "Sec-Fetch-Mode", "no-cors"))).status).toBe(403);
    expect((await get("/", [...arriving, ["Cookie", me.cookie]])).status).toBe(403);
  });
});

describe("what a question becomes", () => {
  const ask = (number: number, overrides = {}, signal = never): Promise<Answer | null> =>
    stage.console.approver.ask(questionOf(number, overrides), signal);

  it("answered twice: the first one counts", async () => {
    const asked = ask(1);
    expect((await answer(bodyOf(1, "no"))).status).toBe(200);
    expect((await answer(bodyOf(1, "task"))).status).toBe(409);
    expect(await asked).toEqual({ answer: "no" });
  });

  it("an answer of one is none to another, nor to the same asked anew with other content", async () => {
    const one = ask(1);
    const two = ask(2);
    expect((await answer({ ...bodyOf(1, "task"), id: "q2" })).status).toBe(409);
    await answer(bodyOf(1, "once"));
    expect(await one).toEqual({ answer: "once" });
    const again = ask(1, { digest: "f".repeat(64) });
    expect((await answer(bodyOf(1, "task"))).status).toBe(409);
    await stage.console.close();
    expect([await two, await again]).toEqual([null, null]);
  });

  it("too late: by the clock, whatever timers say", async () => {
    const asked = ask(1, { expires: stage.clock.now + LIFE_MS });
    stage.clock.now += LIFE_MS - 1;
    expect((await answer({ ...bodyOf(1, "task"), digest: "0".repeat(64) })).status).toBe(409);
    stage.clock.now += 1;
    expect((await answer(bodyOf(1, "task"))).status).toBe(409);
    expect(await asked).toBeNull();
    expect(await ask(2, { expires: stage.clock.now })).toBeNull();
  });

  it("too late: without anybody's doing", async () => {
    expect(await ask(1, { expires: stage.clock.now + 20 })).toBeNull();
  });

  it("answered elsewhere", async () => {
    const elsewhere = new AbortController();
    const asked = ask(1, {}, elsewhere.signal);
    elsewhere.abort();
    expect(await asked).toBeNull();
    expect((await answer(bodyOf(1, "task"))).status).toBe(409);
    expect(await ask(2, {}, elsewhere.signal)).toBeNull();
  });

  it("only what it offers, but always no", async () => {
    const asked = ask(1, { choices: ["once"] });
    expect((await answer(bodyOf(1, "task"))).status).toBe(409);
    expect((await answer(bodyOf(1, "no"))).status).toBe(200);
    expect(await asked).toEqual({ answer: "no" });
  });

  it("with a code: only by it, three times", async () => {
    const asked = ask(1, { code: "K7QM", effect: "irreversible" });
    expect((await answer(bodyOf(1, "once"))).body).toBe('{"did":"wrong_code","triesLeft":2}');
    expect((await answer({ ...bodyOf(1, "once"), code: "K7Q" })).body).toBe('{"did":"wrong_code","triesLeft":1}');
    expect((await answer({ ...bodyOf(1, "once"), code: "K7QM" })).status).toBe(200);
    expect(await asked).toEqual({ answer: "once", code: "K7QM" });

    const loosely = ask(4, { code: "K7QM" });
    await answer({ ...bodyOf(4, "once"), code: " k7qm" });
    expect(await loosely).toEqual({ answer: "once", code: " k7qm" });

    const guessed = ask(2, { code: "K7QM" });
    for (const code of ["", "A", "B"]) expect((await answer({ ...bodyOf(2, "once"), code })).status).toBe(422);
    expect((await answer({ ...bodyOf(2, "once"), code: "K7QM" })).status).toBe(409);
    expect(await guessed).toBeNull();

    const denied = ask(3, { code: "K7QM" });
    await answer(bodyOf(3, "no"));
    expect(await denied).toEqual({ answer: "no" });
  });

  it("a hundred at once: each gets its own", async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
    const asked = numbers.map((number) => ask(number));
    const replies = await Promise.all(
      numbers.toReversed().map((number) => answer(bodyOf(number, number % 2 === 0 ? "once" : "no"))),
    );
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(await Promise.all(asked)).toEqual(numbers.map((number) => ({ answer: number % 2 === 0 ? "once" : "no" })));
  });

  it("too many, or the same twice: not here", async () => {
    const asked = Array.from({ length: 256 }, (_, index) => ask(index));
    expect(await ask(0)).toBeNull();
    expect(await ask(256)).toBeNull();
    await stage.console.close();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([null]));
    expect(await ask(1)).toBeNull();
  });
});

it("without a server nobody is asked", async () => {
  await using none = await stageConsole({ directory: "/dev/null/live" });
  expect(none.console.port).toBeNull();
  expect(await none.console.approver.ask(questionOf(1), never)).toBeNull();
});

describe("what is added", () => {
  const post = (path: string, body: Body, headers = me.headers): Promise<Reply> => {
    const text = JSON.stringify(body);
    return send(stage.port, `POST ${path}`, postHeaders(stage.port, text, headers), text);
  };

  it("goes to the session, or comes back with why not", async () => {
    expect((await post("/text", { text: " Use the blue one " })).status).toBe(200);
    expect((await post("/site", { site: "desk.test" })).body).toBe('{"problem":null}');
    expect(await post("/site", { site: "no host" })).toMatchObject({
      status: 422,
      body: '{"problem":"a site is a host"}',
    });
    expect([stage.texts, stage.sites]).toEqual([["Use the blue one"], ["desk.test"]]);
  });

  it("comes from nobody else", async () => {
    expect((await post("/text", { text: "x" }, [])).status).toBe(403);
    expect((await post("/site", { site: "evil.test" }, [["Cookie", me.cookie]])).status).toBe(403);
    expect((await post("/text", { text: " " })).status).toBe(400);
    expect((await post("/text", { text: "x".repeat(10_001) })).status).toBe(400);
    expect([stage.texts, stage.sites]).toEqual([[], []]);
  });
});
