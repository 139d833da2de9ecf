import { createHash } from "node:crypto";
import { siteOf } from "../../src/gate/index.ts";
import { type GuardAtHand, guardAtHand } from "../../src/guard/guard.fixture.ts";
import type { Body, CallId, Element, Intent, RequestFacts, Site, TabId, Verdict } from "../../src/types.ts";

/** One application with everyday tasks, and what it sends for them. */
export interface TracedApp {
  readonly app: string;
  readonly private?: readonly string[] | null;
  readonly start: string;
  readonly sentTo?: string;
  readonly tasks: readonly { readonly task: string; readonly steps: readonly TracedStep[] }[];
}

export interface TracedStep {
  readonly navigate?: string;
  readonly follow?: string;
  readonly type?: readonly string[] | { readonly search: readonly string[] };
  readonly click?: true;
  readonly timer?: true;
  readonly requests?: readonly TracedRequest[];
}

export interface TracedRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What it is to a careful person: `reads`, `change`, `sameChange`, `afterPrevious`, `breaksIfRefused`, and its form.
   */
  readonly is?: readonly string[];
}

/** What became of one request. */
export interface Judged {
  readonly task: string;
  readonly request: TracedRequest;
  readonly verdict: Verdict;
  /** The question that it stood in; null: nobody was asked about it. */
  readonly question: string | null;
}

/** What became of one task. */
export interface JudgedTask {
  readonly app: string;
  readonly task: string;
  readonly isPrivate: boolean;
  readonly judged: readonly Judged[];
  /** Questions without a change in them, as `rule METHOD address`. */
  readonly needless: readonly string[];
}

/** Runs one task through the guard with somebody who says yes to everything. */
export async function judgeTask(app: TracedApp, task: TracedApp["tasks"][number]): Promise<JudgedTask> {
  const run = new Run(app, task.task);
  for (const step of task.steps) await run.step(step);
  const asked = new Map<string, Judged[]>();
  for (const one of run.judged)
    if (one.question !== null) asked.set(one.question, [...(asked.get(one.question) ?? []), one]);
  const needless = [...asked.values()].filter((all) => !all.some(({ request }) => has(request, "change")));
  return {
    app: app.app,
    task: task.task,
    isPrivate: (app.private ?? []).length > 0,
    judged: run.judged,
    needless: needless.map((all) =>
      all
        .map(({ request }) =>
          `${run.rules.get(request) ?? ""} ${request.method} ${request.url} ${request.body ?? ""}`.slice(0, 160),
        )
        .join(" + "),
    ),
  };
}

export function has({ is = [] }: TracedRequest, mark: string): boolean {
  return is.includes(mark);
}

class Run {
  readonly judged: Judged[] = [];
  /** By which rule each was asked about. */
  readonly rules = new Map<TracedRequest, string>();
  readonly #at: GuardAtHand;
  readonly #task: string;
  #url: string;
  #document = 1;
  #ids = 0;
  #calls = 0;
  /** The latest input, and the document that it went to. */
  #input: { readonly call: CallId; readonly document: number } | null = null;

  constructor(app: TracedApp, task: string) {
    this.#task = task;
    this.#url = app.start;
    const hosts = [
      app.start,
      app.sentTo ?? app.start,
      ...app.tasks.flatMap(({ steps }) => steps.flatMap(({ navigate }) => (navigate === undefined ? [] : [navigate]))),
    ];
    const named = new Set(hosts.map((url) => new URL(url).host));
    this.#at = guardAtHand({
      reach: { allow: [...named, ...(app.private ?? [])], task: `${app.start} ${app.sentTo ?? ""}`, reading: "open" },
      privateSites: (app.private ?? []).flatMap((host) => siteOf(`https://${host}/`) ?? []),
      approver: true,
    });
  }

  async step(step: TracedStep): Promise<void> {
    const requests = step.requests ?? [];
    if (step.navigate !== undefined) {
      const call = this.#act({ tool: "navigate", verb: "go", sink: { kind: "url", url: step.navigate } });
      this.#input = null;
      await this.#navigates(step.navigate, call);
    } else if (step.follow !== undefined) {
      const call = this.#act({
        tool: "click",
        verb: "press",
        element: this.#element({ role: "link", href: step.follow }),
      });
      await this.#navigates(step.follow, call);
    } else if (step.type !== undefined) {
      const isSearch = "search" in step.type;
      const texts = isSearch
        ? (step.type as { readonly search: readonly string[] }).search
        : (step.type as readonly string[]);
      for (const text of texts) this.#types(text, isSearch);
    } else if (step.click === true)
      this.#act({ tool: "click", verb: "press", element: this.#element({ role: "button" }) });
    await this.#send(requests, step.timer === true);
  }

  async #navigates(url: string, call: CallId): Promise<void> {
    await this.#decided(this.#facts({ method: "GET", url, is: ["navigation"] }, call), { method: "GET", url });
    this.#url = url;
    this.#document += 1;
  }

  async #send(requests: readonly TracedRequest[], isTimer: boolean): Promise<void> {
    let together: Promise<void>[] = [];
    for (const request of requests) {
      if (has(request, "afterPrevious")) {
        await Promise.all(together);
        together = [];
      }
      const facts = this.#facts(request, isTimer ? null : this.#running);
      together.push(this.#decided(facts, request));
      if (has(request, "navigation")) {
        await Promise.all(together);
        together = [];
        this.#url = request.url;
        this.#document += 1;
      }
      await Promise.resolve();
    }
    await this.#answer();
    await Promise.all(together);
  }

  #running: CallId | null = null;

  async #decided(facts: RequestFacts, request: TracedRequest): Promise<void> {
    const before = this.#at.asked.length;
    const verdict = this.#at.guard.request(facts);
    if (!(verdict instanceof Promise)) {
      this.#note(request, verdict, null);
      return;
    }
    // Those that come in the same moment are asked about together.
    await new Promise((done) => setImmediate(done));
    await this.#answer();
    const settled = await verdict;
    const record = this.#at
      .records()
      .findLast((one) => one.kind === "request" && "question" in one && one.url !== undefined);
    const question =
      this.#at.asked.slice(before).find(({ lines }) => lines.some((line) => line.includes(request.url.slice(0, 60)))) ??
      this.#at.asked.at(-1);
    void record;
    this.#note(request, settled, question?.id ?? null);
  }

  async #answer(): Promise<void> {
    if (this.#running !== null) this.#at.guard.asks(this.#running);
    this.#at.elapse();
    await new Promise((done) => setImmediate(done));
    while (this.#at.waiting() > 0) {
      await this.#at.answer("once");
      await new Promise((done) => setImmediate(done));
      this.#at.elapse();
      await new Promise((done) => setImmediate(done));
    }
  }

  #note(request: TracedRequest, verdict: Verdict, question: string | null): void {
    if (request.is === undefined && request.method === "GET") return;
    this.rules.set(request, verdict.rule);
    this.judged.push({ task: this.#task, request, verdict, question });
  }

  #types(text: string, isSearch: boolean): void {
    const secret = text.startsWith("pw-");
    const field = {
      type: isSearch ? "search" : secret ? "password" : "text",
      name: isSearch ? "q" : secret ? "password" : "text",
      secret,
    };
    const element = this.#element({ role: isSearch ? "searchbox" : "textbox", field });
    const value = {
      text,
      label: { sites: new Set<Site>(), private: new Set<Site>() },
      masked: false,
      channel: { kind: "MODEL" },
    } as const;
    this.#act({ tool: "type_text", verb: "enter", element, values: [value], sink: { kind: "field", element } });
  }

  #act(more: Partial<Intent>): CallId {
    const call = `c${++this.#calls}` as CallId;
    const intent: Intent = {
      call,
      tool: "click",
      verb: "press",
      tab: "t1" as TabId,
      element: null,
      values: [],
      sink: null,
      site: siteOf(this.#url),
      sites: [siteOf(this.#url)],
      document: `D${this.#document}`,
      ...more,
    };
    const decision = this.#at.guard.call(intent);
    if (!("permit" in decision))
      throw new Error(`${this.#task}: the call itself is refused: ${JSON.stringify(decision)}`);
    this.#running = call;
    if (intent.verb !== "go") this.#input = { call, document: this.#document };
    return call;
  }

  #element(more: Partial<Element>): Element {
    return {
      ref: "e1" as Element["ref"],
      tab: "t1" as TabId,
      document: `D${this.#document}` as Element["document"],
      frame: "T",
      site: siteOf(this.#url),
      role: "button",
      name: "Go",
      within: null,
      href: null,
      field: null,
      form: null,
      ...more,
    };
  }

  #facts(request: TracedRequest, call: CallId | null): RequestFacts {
    const isDocument = has(request, "navigation");
    const isSocket = request.url.includes("websocket");
    return {
      id: `r${++this.#ids}`,
      kind: isSocket ? "socket" : isDocument ? "navigation" : "data",
      resourceType: isSocket ? "WebSocket" : isDocument ? "Document" : has(request, "beacon") ? "Ping" : "Fetch",
      method: request.method,
      url: isSocket ? request.url.replace(/^http/, "ws") : request.url,
      headers: { origin: new URL(this.#url).origin, ...request.headers },
      body: bodyOf(request),
      from: {
        target: "T",
        targetType: "page",
        frame: "T",
        documentUrl: isDocument && request.method === "GET" && this.#input === null ? null : this.#url,
        document: `D${this.#document}`,
        mainUrl: this.#url,
        page: "T",
        freshPopup: false,
      },
      hop: 0,
      redirectedFrom: null,
      cause: call === null ? { by: "page" } : { by: "call", call },
      input: this.#input?.call ?? null,
      ...(this.#input !== null && this.#input.document !== this.#document && { isLater: true }),
    };
  }
}

function bodyOf(request: TracedRequest): Body {
  const { body } = request;
  if (body === undefined || body === null) return { kind: "none" };
  const bytes = (contentType: string, text: string): Body => {
    const raw = Buffer.from(text);
    return { kind: "bytes", contentType, bytes: raw, digest: createHash("sha256").update(raw).digest("hex") };
  };
  const type = Object.entries(request.headers ?? {}).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  if (has(request, "file")) return { kind: "opaque", contentType: "multipart/form-data; boundary=b", knownBytes: 100 };
  if (has(request, "protobuf")) return bytes("application/x-protobuf", `\0${body}`);
  if (has(request, "text")) return bytes("text/plain", body);
  if (has(request, "form")) return bytes("application/x-www-form-urlencoded", encodedForm(body));
  if (has(request, "multipart")) {
    const parts = pairsOf(body).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    return bytes("multipart/form-data; boundary=b", `${parts.join("")}--b--\r\n`);
  }
  return bytes(type ?? "application/json", body);
}

/** The traces write forms without escapes. */
function pairsOf(body: string): readonly (readonly [name: string, value: string])[] {
  return body
    .split(/&(?=[\w[\].$-]+=)/)
    .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
}

function encodedForm(body: string): string {
  return new URLSearchParams(pairsOf(body).map(([name, value]) => [name, value])).toString();
}
