import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Question, QuestionId } from "../types.ts";
import { type Console, type ConsoleOptions, startConsole } from "./console.ts";

export const SESSION = "0123456789abcdef";
export const LIFE_MS = 120_000;

export interface ConsoleStage extends AsyncDisposable {
  readonly console: Console;
  readonly port: number;
  /** Parent of the state directory. */
  readonly root: string;
  readonly directory: string;
  /** Moves when a test says so. */
  readonly clock: { now: number };
  readonly texts: string[];
  readonly sites: string[];
  /** What the registry says now. */
  entry(): Promise<{ readonly pid: number; readonly port: number; readonly key: string; readonly started: number }>;
}

/** A console with a directory of its own. It opens no browser unless `options` do. */
export async function stageConsole(options: Partial<ConsoleOptions> = {}): Promise<ConsoleStage> {
  const root = await mkdtemp(join(tmpdir(), "chaperone-console-"));
  const directory = options.directory ?? join(root, "chaperone", "live");
  const clock = { now: Date.now() };
  const texts: string[] = [];
  const sites: string[] = [];
  const console = await startConsole({
    sessionId: SESSION,
    directory,
    clock: () => clock.now,
    random: randomBytes,
    openBrowser: false,
    addOperatorText: (text) => {
      texts.push(text);
      return null;
    },
    addSite: (site) => {
      if (site.includes(" ")) return "a site is a host";
      sites.push(site);
      return null;
    },
    status: () => ({
      mode: "act",
      profile: "guarded",
      sites: ["shop.test"],
      recent: ["GET https://shop.test/ allowed"],
    }),
    title: "Order the blue kettle",
    ...options,
  });
  return {
    console,
    port: console.port ?? 0,
    root,
    directory,
    clock,
    texts,
    sites,
    entry: async () => JSON.parse(await readFile(join(directory, `${SESSION}.json`), "utf8")),
    async [Symbol.asyncDispose]() {
      await console.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export function questionOf(number: number, overrides: Partial<Question> = {}): Question {
  return {
    // Made nowhere else than by the guard.
    id: `q${number}` as QuestionId,
    call: null,
    about: "effect",
    lines: [`Send POST to https://shop.test/orders/${number}`, `field "status" = "shipped" (from the model)`],
    digest: number.toString(16).padStart(64, "0"),
    requests: [],
    effect: "reversible",
    choices: ["once", "form", "task", "no"],
    means: { once: "this request", form: "this form's next steps", task: "changes of orders", no: "nothing is sent" },
    code: null,
    expires: Date.now() + LIFE_MS,
    ...overrides,
  };
}

export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export type HeaderList = readonly (readonly [string, string])[];

/**
 * Writes exactly these lines and reads all that comes back. A connection that is cut without an answer has status 0.
 */
export function send(port: number, line: string, headers: HeaderList, body = ""): Promise<Reply> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        `${line} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
      );
    });
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => (text += chunk));
    socket.on("error", () => {});
    socket.on("close", () => {
      const [head = "", ...rest] = text.split("\r\n\r\n");
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join("\r\n\r\n") });
    });
  });
}

/** Headers of a page of ours that asks. */
export function postHeaders(port: number, body: string, more: HeaderList = []): HeaderList {
  return [
    ["Host", `127.0.0.1:${port}`],
    ["Origin", `http://127.0.0.1:${port}`],
    ["Sec-Fetch-Site", "same-origin"],
    ["Content-Type", "application/json"],
    ["Content-Length", String(Buffer.byteLength(body))],
    ["Connection", "close"],
    ...more,
  ];
}

export interface SignedIn {
  readonly cookie: string;
  readonly token: string;
  readonly headers: HeaderList;
}

/** Exchanges a key by hand. */
export function exchange(port: number, key: string): Promise<Reply> {
  const body = JSON.stringify({ key });
  return send(port, "POST /open", postHeaders(port, body), body);
}

export async function signIn(stage: ConsoleStage): Promise<SignedIn> {
  const reply = await exchange(stage.port, (await stage.entry()).key);
  const cookie = /set-cookie: ([^;\r]+)/i.exec(reply.head)?.[1] ?? "";
  const token = /"token":"([\w-]+)"/.exec(reply.body)?.[1] ?? "";
  return {
    cookie,
    token,
    headers: [
      ["Cookie", cookie],
      ["X-Chaperone-Token", token],
    ],
  };
}
