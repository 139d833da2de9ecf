import type { Choice, openSession } from "../../src/index.ts";

/** What came to a server of a row. */
export interface Asked {
  readonly method: string;
  readonly host: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** How many unsafe requests this world has seen so far, this one included. */
  readonly changes: number;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Answers that late. */
  readonly afterMs?: number;
  /** The socket's first message, where the page asks for a WebSocket. */
  readonly message?: string;
}

/** By `METHOD host/path`, or `host/path` for all methods; `*` at the end stands for any rest. */
export type Sites = Readonly<Record<string, Reply | ((asked: Asked) => Reply)>>;

/** Options of the session, but for what the runner gives. */
export type Options = Omit<
  NonNullable<Parameters<typeof openSession>[0]>,
  "hostMap" | "browser" | "approve" | "ledger"
>;

/** One call of the scripted agent. */
export interface Step {
  readonly tool: string;
  /** `shown`: the text of the result before. */
  readonly args: object | ((shown: string, port: number) => object);
  /** Texts that the result must have. */
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  /**
   * The error code or the rule of the refusal that the agent is told, and goes on from. Without it the call must be ok.
   */
  readonly told?: string;
  /** Whatever is told, the task goes on. */
  readonly anyhow?: true;
}

export interface Row {
  /** The row of the benign tasks it belongs to, `B-21`, or a control, `C-3`. */
  readonly id: string;
  readonly title: string;
  readonly sites: Sites;
  readonly options: Options | ((port: number) => Options);
  readonly steps: readonly Step[];
  /** Exactly so many questions; default none. */
  readonly asks?: number;
  /** What the approver says each time; default `once`. */
  readonly says?: Choice;
  /** Texts that the questions must show. */
  readonly asked?: readonly string[];
  /** All requests with an unsafe method that arrive, as `METHOD host/path body`, in any order; default none. */
  readonly changes?: readonly string[];
  /** Of these changes each may arrive more often, or not at all: a page's own clockwork. */
  readonly clockwork?: readonly string[];
  /** Other requests that must arrive. */
  readonly arrives?: readonly string[];
  /** Hosts at which nothing may arrive. */
  readonly silent?: readonly string[];
  /** Rules that may refuse what the page can do without. Nothing else may be refused. */
  readonly mayRefuse?: readonly string[];
  /** Served over IPv6 only. */
  readonly only6?: readonly string[];
  /** So many at once, each with all steps; default one. */
  readonly sessions?: number;
  /** The browser does not know the authority of the servers' certificate. */
  readonly untrusted?: true;
  /** Why it needs a session that did nothing before. Rows without it share one with those of the same options. */
  readonly fresh?: string;
}

/** The sites that most rows are about. */
export const ordinary: Options = { allow: ["shop.test", "inbox.test", "desk.test", "blog.test"] };

/** A document. */
export function html(title: string, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    headers: { "content-type": "text/html; charset=utf-8", ...headers },
    body: `<!doctype html><html lang="en"><title>${title}</title><link rel="icon" href="data:,"><body>${body}</body></html>`,
  };
}

export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** What a form is answered with. */
export function seeOther(location: string): Reply {
  return { status: 303, headers: { location } };
}

export const go = (url: string, ...has: readonly string[]): Step => ({ tool: "navigate", args: { url }, has });
export const click = (target: string, ...has: readonly string[]): Step => ({ tool: "click", args: { target }, has });
export const type = (target: string, text: string): Step => ({ tool: "type_text", args: { target, text } });
export const read = (...has: readonly string[]): Step => ({ tool: "get_text", args: {}, has });
export const wait = (text: string): Step => ({ tool: "wait_for", args: { text } });
export const scroll = (direction: string, ...has: readonly string[]): Step => ({
  tool: "scroll",
  args: { direction },
  has,
});
export const back = (...has: readonly string[]): Step => ({ tool: "go_back", args: {}, has });

/** The ref of the element of that name. */
export function refOf(shown: string, name: string): string {
  const line = shown.split("\n").find((candidate) => candidate.includes(JSON.stringify(name)));
  return /\be[1-9]\d*\b/.exec(line ?? "")?.[0] ?? `none for ${name}`;
}
