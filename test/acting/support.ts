import {
  type CallableSession,
  type Envelope,
  type OpenedSession,
  openSession,
  type SessionOptions,
} from "../../src/index.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";

/** What "at once" may take, with reserve for a busy machine: what waits in vain waits for seconds. */
export const AT_ONCE_MS = 1_000;
const QUICK_TRIES = 12;

/** What is quick is quick in one of many tries, however busy the machine is; what is slow is slow in all. */
export async function atOnce<T extends { readonly ms: number }>(work: () => Promise<T>): Promise<T> {
  let tried = await work();
  for (let again = 1; again < QUICK_TRIES && tried.ms >= AT_ONCE_MS; again++) tried = await work();
  return tried;
}

/** A session with a browser that runs already, and the one server it may reach. */
export interface Stage extends AsyncDisposable {
  readonly server: RecordingServer;
  readonly session: OpenedSession;
  /** One call; what it came to and how long that took, in ms. */
  call(tool: string, args?: object): Promise<Envelope & { readonly ms: number }>;
  /** Serves the page at `/` and opens it. */
  show(html: string): Promise<Envelope & { readonly ms: number }>;
}

export async function stage(options: SessionOptions = {}): Promise<Stage> {
  const server = await recordingServer();
  const session = await openSession({ private: [server.url], ...yes, ...options });
  const untyped = session as unknown as CallableSession;
  const call: Stage["call"] = async (tool, args = {}) => {
    const began = performance.now();
    const { envelope } = await untyped.call(tool, args);
    return { ...envelope, ms: performance.now() - began };
  };
  const show: Stage["show"] = (html) => {
    server.html("/", `<!doctype html><title>Page</title>${html}`);
    return call("navigate", { url: `${server.url}/` });
  };
  await show("<h1>Ready</h1>");
  return {
    server,
    session,
    call,
    show,
    [Symbol.asyncDispose]: async () => {
      await session.close();
      await server.close();
    },
  };
}

export function refOf(envelope: Envelope, name: string): string {
  const line = (envelope.snapshot ?? "").split("\n").find((candidate) => candidate.includes(JSON.stringify(name)));
  const ref = /\be[1-9]\d*\b/.exec(line ?? "")?.[0];
  if (ref === undefined) throw new Error(`no ref for ${name} in\n${envelope.snapshot}`);
  return ref;
}

export interface ListedTab {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly active: boolean;
}

export async function tabsOf(it: Stage): Promise<readonly ListedTab[]> {
  return (await it.call("tabs")).tabs as readonly ListedTab[];
}

/** Closes all tabs but the active one. */
export async function closeOthers(it: Stage): Promise<void> {
  for (const { id, active } of await tabsOf(it)) if (!active) await it.call("tabs", { action: "close", tab: id });
}
