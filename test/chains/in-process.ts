import { createHash } from "node:crypto";
import { guardAtHand } from "../../src/guard/guard.fixture.ts";
import type {
  Body,
  CallId,
  Choice,
  DocumentId,
  Element,
  Intent,
  Ref,
  RequestFacts,
  Site,
  TabId,
  Verdict,
} from "../../src/types.ts";
import type { Chain, Field, Sending, Sent } from "./chain.ts";

const OWN = "own.test";
const OTHER = "other.test";
/** So many turns of the loop, and a request that is still held waits for somebody. */
const MOST_TURNS = 40;

export interface Wrong {
  /** The clause, what should have been, and what was. */
  readonly kind: string;
  readonly text: string;
}

/** What was wrong with a chain; empty when all was as it should be. */
export async function runInProcess(chain: Chain): Promise<readonly Wrong[]> {
  return new Run(chain).all();
}

/** The chain's requests before a guard, without a browser: what the wire would say of each. */
class Run {
  readonly #chain: Chain;
  readonly #at: ReturnType<typeof guardAtHand>;
  readonly #wrong: Wrong[] = [];
  #calls = 0;
  #requests = 0;
  #documents = 0;
  #url = `https://${OWN}/`;
  #answered = 0;
  #isLoading = false;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#at = guardAtHand({
      reach: { allow: [OWN, OTHER] },
      privateSites: chain.isPrivate ? [OWN as Site] : [],
      approver: true,
    });
  }

  async all(): Promise<readonly Wrong[]> {
    for (const [at, { path, by, loads, inputs }] of this.#chain.visits.entries()) {
      const call = by === "agent" || at === 0 ? this.#opens(path) : this.#follows(path);
      await this.#navigates(path, call);
      // By a link: what the new document sends comes after the input, and is not its doing.
      this.#isLoading = by === "link" && at > 0;
      await this.#sends(loads, this.#isLoading ? call : null);
      this.#isLoading = false;
      for (const input of inputs) {
        const verb = input.is === "press" ? "press" : "enter";
        const sent = this.#input(verb, input.is === "type" ? input : null);
        await this.#sends(input.sends, sent);
      }
    }
    return this.#wrong;
  }

  #opens(path: string): CallId {
    const url = `https://${OWN}${path}`;
    return this.#call({ tool: "navigate", verb: "go", values: [text(url)], sink: { kind: "url", url } });
  }

  #follows(path: string): CallId {
    return this.#call({
      tool: "click",
      verb: "press",
      element: this.#element("link", "Next", { href: `https://${OWN}${path}` }),
    });
  }

  #input(verb: "press" | "enter", typed: { readonly field: Field; readonly text: string } | null): CallId {
    if (typed === null) return this.#call({ tool: "click", verb, element: this.#element("button", "Go on") });
    const role = typed.field.type === "search" ? "searchbox" : typed.field.type === "number" ? "spinbutton" : "textbox";
    const element = this.#element(role, typed.field.label, {
      field: { type: typed.field.type, name: typed.field.name, secret: false },
    });
    return this.#call({
      tool: "type_text",
      verb,
      element,
      values: [text(typed.text)],
      sink: { kind: "field", element },
    });
  }

  #call(meant: Pick<Intent, "tool" | "verb"> & Partial<Intent>): CallId {
    const call = `c${++this.#calls}` as CallId;
    const decision = this.#at.guard.call(
      { call, tab: "t1" as TabId, element: null, values: [], sink: null, ...meant },
      { group: null },
    );
    if (!("permit" in decision))
      this.#wrong.push({ kind: "call", text: `${meant.tool} was not permitted: ${JSON.stringify(decision)}` });
    return call;
  }

  #element(role: string, name: string, more: Partial<Element> = {}): Element {
    return {
      ref: `e${this.#calls + 1}` as Ref,
      tab: "t1" as TabId,
      document: `D${this.#documents}` as DocumentId,
      frame: "F",
      site: OWN as Site,
      role,
      name,
      within: null,
      href: null,
      field: null,
      form: null,
      ...more,
    };
  }

  async #navigates(path: string, call: CallId): Promise<void> {
    const url = `https://${OWN}${path}`;
    const facts: RequestFacts = {
      ...this.#facts({ method: "GET", path, headers: {}, body: { is: "none" } }, call),
      kind: "navigation",
      resourceType: "Document",
    };
    const verdict = await Promise.resolve(this.#at.guard.request({ ...facts, cause: { by: "call", call } }));
    if (verdict.verdict === "refuse") this.#wrong.push({ kind: "page", text: `${path}: ${verdict.rule}` });
    this.#documents += 1;
    this.#url = url;
  }

  /** As many as go at once; those after one of them go when it was answered. */
  async #sends(sends: readonly Sent[], call: CallId | null): Promise<void> {
    let isGone = true;
    for (let at = 0; at < sends.length; ) {
      const end = sends.findIndex(({ isAfter }, n) => n > at && isAfter);
      const together = sends.slice(at, end === -1 ? sends.length : end);
      const isLeft: boolean = together[0]?.isAfter === true && !isGone;
      const sent: readonly Sent[] = isLeft ? together.slice(1) : together;
      const gone: readonly boolean[] = await Promise.all(sent.map((each) => this.#send(each, call)));
      // What comes after one that was not sent is not sent either.
      isGone = isLeft && sent.length === 0 ? false : (gone.at(-1) ?? false);
      at = end === -1 ? sends.length : end;
    }
  }

  /** Whether it went. */
  async #send(sent: Sent, call: CallId | null): Promise<boolean> {
    const verdict = await this.#judged(this.#facts(sent, call), sent, sent.asks);
    const { redirect } = sent;
    if (verdict.verdict === "refuse" || redirect === null) return verdict.verdict === "allow";
    const first = this.#facts(sent, call);
    const isKept = redirect.status === 307;
    const hop: RequestFacts = {
      ...first,
      method: isKept ? sent.method : "GET",
      body: isKept ? first.body : { kind: "none" },
      url: new URL(redirect.path, first.url).href,
      hop: 1,
      redirectedFrom: first.url,
    };
    await this.#judged(hop, { ...sent, path: redirect.path }, redirect.asks);
    return true;
  }

  async #judged(facts: RequestFacts, sent: Pick<Sent, "method" | "path" | "clause">, asks: boolean): Promise<Verdict> {
    let isHeld = false;
    const said = this.#at.guard.request(facts, () => {
      isHeld = true;
    });
    const { answer } = this.#chain;
    const came = said instanceof Promise ? await this.#waited(said, facts.input ?? null) : said;
    const isAsked = isHeld && this.#wasAsked(facts);
    const isRight = came.verdict === (asks && answer === "no" ? "refuse" : "allow") && isAsked === asks;
    if (!isRight) {
      const kind = `${sent.clause}, should ${asks ? "be asked" : "pass"}, was ${isAsked ? "" : "not "}asked: ${came.verdict} ${came.rule}`;
      this.#wrong.push({ kind, text: `${sent.method} ${facts.url} ${bodyText(facts)}, ${facts.from.targetType}` });
    }
    return came;
  }

  /** What waits is asked about when its call has come to rest, or after a moment. */
  async #waited(said: Promise<Verdict>, input: CallId | null): Promise<Verdict> {
    let isSettled = false;
    const settled = said.finally(() => {
      isSettled = true;
    });
    for (let turn = 0; turn < MOST_TURNS && !isSettled; turn += 1) {
      // What goes at the same time is held by then.
      await new Promise((done) => setImmediate(done));
      if (input !== null) this.#at.guard.asks(input);
      this.#at.elapse();
      await this.#answer(this.#chain.answer);
    }
    return settled;
  }

  #wasAsked({ url, method }: RequestFacts): boolean {
    return this.#at.asked.some(({ lines }) => lines.some((line) => line.includes(`${method} "${url}"`)));
  }

  async #answer(choice: Choice): Promise<void> {
    while (this.#answered < this.#at.asked.length) {
      this.#answered += 1;
      await this.#at.answer(choice);
    }
  }

  #facts(sent: Pick<Sent, "method" | "path" | "headers" | "body"> & Partial<Sent>, call: CallId | null): RequestFacts {
    const host = sent.to === "other" ? OTHER : sent.to === "corner" ? `corner.${OWN}` : OWN;
    const { from = "page" } = sent;
    const isNavigation = from === "navigation";
    return {
      id: `r${++this.#requests}`,
      kind: isNavigation ? "navigation" : "data",
      resourceType: isNavigation ? "Document" : "Fetch",
      method: sent.method,
      url: `https://${host}${sent.path}`,
      headers: {
        ...Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value])),
        origin: `https://${OWN}`,
        ...typeOf(sent.body),
      },
      body: bodyOf(sent.body),
      // What a worker of its own sends, the wire tells as its document's.
      from: {
        target: "T",
        targetType: "page",
        frame: from === "frame" ? "F2" : "T",
        documentUrl: this.#url,
        document: `D${this.#documents}${from === "frame" ? "f" : ""}`,
        mainUrl: this.#url,
        page: "T",
        freshPopup: false,
      },
      hop: 0,
      redirectedFrom: null,
      cause: call !== null && isNavigation ? { by: "call", call } : { by: "page" },
      input: call,
      ...(this.#isLoading && { isLater: true }),
    };
  }
}

function text(value: string): Intent["values"][number] {
  return { text: value, label: { sites: new Set(), private: new Set() }, masked: false, channel: { kind: "MODEL" } };
}

const BOUNDARY = "----chainboundary7";

function typeOf(body: Sending): Readonly<Record<string, string>> {
  switch (body.is) {
    case "none":
      return {};
    case "json":
      return { "content-type": "application/json" };
    case "text":
      return { "content-type": "text/plain;charset=UTF-8" };
    case "form":
      return { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
    case "parts":
    case "file":
      return { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
    case "bytes":
      return { "content-type": "application/octet-stream" };
  }
}

function bodyOf(body: Sending): Body {
  const contentType = typeOf(body)["content-type"] ?? "";
  const bytes = (raw: Buffer): Body => ({
    kind: "bytes",
    contentType,
    bytes: raw,
    digest: createHash("sha256").update(raw).digest("hex"),
  });
  switch (body.is) {
    case "none":
      return { kind: "none" };
    case "json":
    case "text":
      return bytes(Buffer.from(body.text));
    case "form":
      return bytes(Buffer.from(new URLSearchParams(body.fields.map(([name, value]) => [name, value])).toString()));
    case "parts":
      return bytes(
        Buffer.from(
          `${body.fields.map(([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join("")}--${BOUNDARY}--\r\n`,
        ),
      );
    case "file":
      return { kind: "opaque", contentType, knownBytes: 300 };
    case "bytes":
      return bytes(Buffer.from(body.bytes));
  }
}

function bodyText({ body }: RequestFacts): string {
  return body.kind === "bytes" ? Buffer.from(body.bytes).toString().slice(0, 120) : `(${body.kind})`;
}
