import { join } from "node:path";
import { type HeaderList, postHeaders, type Reply, send } from "../../src/console/console.fixture.ts";
import { type LiveSession, liveSessions } from "../../src/console/index.ts";

/** A question as the console shows it. */
export interface Shown {
  readonly id: string;
  readonly digest: string;
  readonly name: string;
  readonly lines: readonly string[];
  readonly choices: readonly { readonly choice: string }[];
  readonly code: string | null;
}

interface State {
  readonly open: readonly Shown[];
  readonly done: readonly { readonly name: string; readonly outcome: string }[];
}

/** Somebody with the console's key, by hand over HTTP. */
export interface Person extends Disposable {
  readonly port: number;
  readonly headers: HeaderList;
  /** The state when it fits; looks at each new one. Rejects when the session has ended. */
  until(fits: (state: State) => boolean): Promise<State>;
  /** The next open question that has not been seen. */
  next(): Promise<Shown>;
  answer(given: {
    readonly id: string;
    readonly digest: string;
    readonly answer: string;
    readonly code?: string | null;
  }): Promise<number>;
  post(path: string, body: object): Promise<Reply>;
}

export function live(state: string): Promise<readonly LiveSession[]> {
  return liveSessions(join(state, "chaperone", "live"));
}

/** Exchanges the key of the session, by default the only one, and watches. */
export async function personAt(state: string, which: (session: LiveSession) => boolean = () => true): Promise<Person> {
  const session = (await live(state)).find(which);
  if (session === undefined) throw new Error("no session is live");
  const { port, key } = session;
  const text = JSON.stringify({ key });
  const opened = await send(port, "POST /open", postHeaders(port, text), text);
  const cookie = /set-cookie: ([^;\r]+)/i.exec(opened.head)?.[1] ?? "";
  const token = /"token":"([\w-]+)"/.exec(opened.body)?.[1] ?? "";
  const headers: HeaderList = [
    ["Cookie", cookie],
    ["X-Chaperone-Token", token],
  ];
  const watching = new AbortController();
  const seen = new Set<string>();
  let latest: State = { open: [], done: [] };
  let over = false;
  const changed: (() => void)[] = [];
  const watched = watch(port, headers, watching.signal, (state) => {
    latest = state ?? latest;
    over ||= state === null;
    for (const look of changed.splice(0)) look();
  });
  watched.catch(() => {});
  const until: Person["until"] = async (fits) => {
    for (;;) {
      if (fits(latest)) return latest;
      if (over) throw new Error("the session has ended");
      await new Promise<void>((resolve) => changed.push(resolve));
    }
  };
  const post: Person["post"] = (path, body) => {
    const json = JSON.stringify(body);
    return send(port, `POST ${path}`, postHeaders(port, json, headers), json);
  };
  return {
    port,
    headers,
    until,
    async next() {
      const { open } = await until((state) => state.open.some(({ id }) => !seen.has(id)));
      const found = open.find(({ id }) => !seen.has(id));
      if (found === undefined) throw new Error("it is gone");
      seen.add(found.id);
      return found;
    },
    answer: async ({ id, digest, answer, code }) =>
      (await post("/answer", { id, digest, answer, ...(code ? { code } : {}) })).status,
    post,
    [Symbol.dispose]: () => watching.abort(),
  };
}

/** Null: the session has ended. */
async function watch(
  port: number,
  headers: HeaderList,
  signal: AbortSignal,
  look: (state: State | null) => void,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/state`, {
    headers: { ...Object.fromEntries(headers), origin: `http://127.0.0.1:${port}` },
    signal,
  });
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const state = JSON.parse(line) as State & { ended?: true };
        look(state.ended === true ? null : state);
      }
    }
  } finally {
    look(null);
  }
}
