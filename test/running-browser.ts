import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { chromiumProgram } from "./chromium-program.ts";

/** The tab without which it would end. */
const STARTS_AT = "about:blank";
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--no-first-run",
  "--disable-dev-shm-usage",
  "--remote-debugging-port=0",
  STARTS_AT,
];

type Json = Record<string, unknown>;

/** Somebody's browser with a DevTools port, and that somebody's own connection to it. */
export interface RunningBrowser extends AsyncDisposable {
  /** `ws://127.0.0.1:port/devtools/browser/id`. */
  readonly endpoint: string;
  /** What a stranger must not learn of it. */
  readonly token: string;
  /** `http://127.0.0.1:port`. */
  readonly http: string;
  send(method: string, params?: Json, sessionId?: string): Promise<Json>;
  /** Opens a tab in the person's own context. */
  open(url: string): Promise<PersonsTab>;
  /** Names of the events that came so far, of all sessions. */
  readonly events: readonly string[];
  pages(): Promise<readonly string[]>;
  /** Closes the tabs that `open` opened, and what they opened. */
  closeTabs(): Promise<void>;
  contexts(): Promise<readonly unknown[]>;
  kill(): Promise<void>;
}

export interface PersonsTab {
  evaluate(expression: string): Promise<unknown>;
  readonly session: string;
}

export async function runningBrowser(): Promise<RunningBrowser> {
  const profile = mkdtempSync(join(tmpdir(), "chaperone-person-"));
  const child = spawn(chromiumProgram(), [...FLAGS, `--user-data-dir=${profile}`], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const ended = once(child, "exit");
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`Chromium ended: ${said}`)));
  });
  const events: string[] = [];
  const send = await personsConnection(endpoint, events);

  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  return {
    endpoint,
    token: endpoint.slice(endpoint.lastIndexOf("/") + 1),
    http: `http://${new URL(endpoint).host}`,
    events,
    send,
    async open(url) {
      const { targetId } = await send("Target.createTarget", { url });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      const session = String(sessionId);
      return {
        session,
        async evaluate(expression) {
          const { result } = await send(
            "Runtime.evaluate",
            { expression, returnByValue: true, awaitPromise: true, userGesture: true },
            session,
          );
          return (result as Json).value;
        },
      };
    },
    async pages() {
      const { targetInfos } = await send("Target.getTargets");
      return (targetInfos as readonly { type: string; url: string }[])
        .filter(({ type }) => type === "page")
        .map(({ url }) => url);
    },
    async closeTabs() {
      const { targetInfos } = await send("Target.getTargets");
      for (const { type, targetId, url } of targetInfos as readonly { type: string; targetId: string; url: string }[])
        if (type === "page" && url !== STARTS_AT) await send("Target.closeTarget", { targetId }).catch(() => {}); // it may just have closed itself
    },
    async contexts() {
      return (await send("Target.getBrowserContexts")).browserContextIds as readonly unknown[];
    },
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

async function personsConnection(endpoint: string, events: string[]): Promise<RunningBrowser["send"]> {
  const socket = new WebSocket(endpoint, { perMessageDeflate: false });
  const waiting = new Map<number, { resolve(result: Json): void; reject(error: Error): void }>();
  let id = 0;
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("the browser ended"));
    waiting.clear();
  });
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as {
      id?: number;
      method?: string;
      result?: Json;
      error?: { message: string };
    };
    if (message.id === undefined) {
      events.push(message.method ?? "");
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) asked?.resolve(message.result ?? {});
    else asked?.reject(new Error(message.error.message));
  });
  await once(socket, "open");
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      id += 1;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    });
}
