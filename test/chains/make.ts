import type { Chain, Clause, Field, Input, Redirect, Sending, Sent, Visit } from "./chain.ts";
import { Random } from "./random.ts";
import {
  CHANGES,
  DOING,
  DRAFTS,
  HARMLESS_SLOTS,
  NOUNS,
  OPERATION_HEADERS,
  READ_PAIRS,
  READS,
  SENTENCES,
  SERIOUS,
  SERIOUS_SLOTS,
  SHOWING,
  UPKEEP,
  VALUES,
} from "./words.ts";

/** Ten questions without a yes, and nobody is asked any more; five of one input, and no more of it. */
const MOST_QUESTIONS = 8;
const MOST_OF_AN_INPUT = 4;
const MOST_VISITS = 3;
const MOST_INPUTS = 4;
const MOST_SENDS = 4;
const DELAYS_MS = [0, 0, 0, 120, 700] as const;

type Slots = Readonly<Record<string, string | number | boolean>>;

/** What a page sends by itself before anybody touches it, to be sent again later. */
interface Known {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fixed: readonly [name: string, value: string];
  readonly free: readonly [name: string, next: (at: number) => string | number];
  /** So many values of the free slot so far. */
  sent: number;
}

/**
 * Makes a chain together with what is right for it: that comes from how each request was made, never from looking at
 * it. Only what the rule decides is made; where it leaves something open, nothing is.
 */
export function chainOf(seed: number): Chain {
  return new Maker(seed).make();
}

class Maker {
  readonly #seed: number;
  readonly #random: Random;
  readonly #isPrivate: boolean;
  readonly #answer: Chain["answer"];
  readonly #names: string[];
  readonly #known: Known[] = [];
  #graphql: string | null = null;
  #isTouched = false;
  #questions = 0;
  /**
   * Words that were typed may not have left whole with a yes: what an input causes next may carry them, written
   * otherwise.
   */
  #isUnclear = false;
  /** Kept by the page, for its next document. */
  #kept: Sent | null = null;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#isPrivate = this.#random.chance(0.6);
    this.#answer = this.#random.chance(0.6) ? "once" : "no";
    this.#names = [...NOUNS].sort((a, b) => this.#rank(a) - this.#rank(b));
  }

  make(): Chain {
    const visits: Visit[] = [];
    const count = 1 + this.#random.below(MOST_VISITS);
    for (let at = 0; at < count; at += 1) visits.push(this.#visit(at));
    return { seed: this.#seed, isPrivate: this.#isPrivate, answer: this.#answer, visits };
  }

  /** A fixed place in a shuffled order. */
  #rank(word: string): number {
    return new Random([...word].reduce((sum, sign) => sum * 31 + (sign.codePointAt(0) ?? 0), this.#seed)).next();
  }

  #visit(at: number): Visit {
    const random = this.#random;
    // A document without anything in its address is nobody's act; what it sends before the first input is learned.
    const isBorn = random.chance(at === 0 ? 0.25 : 0.4);
    const page = this.#name();
    const path = isBorn
      ? random.pick([`/${page}?item=${random.hex(4)}&view=wide`, `/${page}#part-${random.hex(4)}`])
      : `/${page}`;
    const isPlain = !this.#isTouched && !(isBorn && this.#isPrivate);
    const loads = isPlain ? this.#untouchedLoads() : this.#loads(isBorn);
    if (isBorn && this.#isPrivate) this.#isTouched = true;
    const inputs: Input[] = [];
    const count = 1 + random.below(MOST_INPUTS);
    for (let n = 0; n < count; n += 1) inputs.push(...this.#inputs(n === count - 1));
    return { path, by: at > 0 && random.chance(0.4) ? "link" : "agent", loads, inputs };
  }

  /** By the page itself, as it loads, before anybody has touched its site. */
  #untouchedLoads(): readonly Sent[] {
    const random = this.#random;
    const loads: Sent[] = [];
    if (random.chance(0.5)) {
      const known = this.#knowSomething();
      const times = 3 + random.below(2);
      for (let n = 0; n < times; n += 1) loads.push(this.#again(known, "own", false));
    }
    if (random.chance(0.4)) {
      const name = this.#name();
      this.#graphql = `/${name}/graphql`;
      loads.push(this.#graphqlRead(name, "own"));
    }
    if (random.chance(0.5)) loads.push(this.#change("own", false));
    if (random.chance(0.4)) loads.push(this.#upkeep());
    if (random.chance(0.15) && this.#mayAsk(loads)) loads.push(this.#serious());
    return loads;
  }

  /** By a document of a site that was touched, or that was born touched. */
  #loads(isBorn: boolean): readonly Sent[] {
    const random = this.#random;
    const loads: Sent[] = [];
    if (this.#kept !== null) {
      loads.push(this.#kept);
      this.#kept = null;
    }
    if (random.chance(0.5)) loads.push(this.#read());
    if (random.chance(0.4)) loads.push(this.#upkeep());
    if (random.chance(0.3) && this.#mayAsk(loads))
      loads.push(
        this.#isPrivate ? this.#change(isBorn ? "born touched" : "private", true) : this.#change("plain", false),
      );
    return loads;
  }

  #inputs(isLast: boolean): readonly Input[] {
    const random = this.#random;
    this.#isTouched = true;
    const kind = random.below(10);
    if (kind < 4) return [{ is: "press", sends: this.#sends(isLast) }];
    if (kind < 6) return this.#typing();
    if (kind < 8) return this.#searching();
    if (kind < 9) return this.#counting();
    return [{ is: "press", sends: [...this.#sends(false), ...this.#keeping()] }];
  }

  /** What a press sends that has nothing of what was typed in it. */
  #sends(isLast: boolean): readonly Sent[] {
    const random = this.#random;
    if (isLast && random.chance(0.25)) return [this.#navigation()];
    const sends: Sent[] = [];
    const count = 1 + random.below(MOST_SENDS);
    while (sends.length < count) {
      const next = this.#untyped(sends);
      sends.push(this.#placed(next, sends));
    }
    return sends;
  }

  #untyped(sends: readonly Sent[]): Sent {
    const random = this.#random;
    if (!this.#mayAsk(sends) || random.chance(0.45)) return this.#harmless();
    return random.pick([
      () => this.#serious(),
      () => this.#seriousSlot(),
      () => (this.#isPrivate ? this.#change("private", true) : this.#plain()),
      () => (this.#isPrivate ? this.#change("private", true) : this.#plain()),
      () => (this.#isPrivate ? this.#crossSite() : this.#serious()),
      () => (this.#isPrivate ? this.#corner() : this.#serious()),
      () => this.#graphqlChange(),
      () => this.#file(),
      () => this.#bytes(),
      () => this.#knownOtherwise() ?? this.#serious(),
      () => this.#redirected(),
    ])();
  }

  #harmless(): Sent {
    const random = this.#random;
    return random.pick([
      () => this.#read(),
      () => this.#read(),
      () => this.#upkeep(),
      () => this.#safeVerb(),
      () => this.#knownAgain() ?? this.#read(),
      () => (this.#graphql === null ? this.#read() : this.#graphqlRead(this.#name(), "graphql read")),
      () => (this.#isPrivate ? this.#read() : this.#plain()),
      () => (this.#isPrivate ? this.#read() : this.#crossPlain()),
    ])();
  }

  /** From where and when, which changes nothing of what is right. */
  #placed(sent: Sent, before: readonly Sent[]): Sent {
    const random = this.#random;
    const previous = before.at(-1);
    const isAfter = previous !== undefined && previous.delayMs === 0 && random.chance(0.4);
    const from =
      sent.from === "page" && sent.body.is !== "file"
        ? random.pick(["page", "page", "frame", "worker"] as const)
        : sent.from;
    return { ...sent, from, isAfter, delayMs: isAfter ? 0 : random.pick(DELAYS_MS) };
  }

  /** Words into a field, then a press that sends them; perhaps a draft before. */
  #typing(): readonly Input[] {
    const random = this.#random;
    if (!this.#mayAsk([])) return [{ is: "press", sends: [this.#read()] }];
    const text = random.pick(SENTENCES);
    const field: Field = { label: "Words", name: "words", type: "text" };
    const drafts = random.chance(0.4) ? [this.#draft(text)] : [];
    const people = random.chance(0.3) ? [this.#read({ text: text.slice(0, 9) })] : [];
    const sent = this.#typed(text);
    if (sent.clause === "rewritten" || this.#answer === "no") this.#isUnclear = true;
    return [
      { is: "type", field, text, sends: [...drafts, ...people] },
      { is: "press", sends: [sent] },
    ];
  }

  #searching(): readonly Input[] {
    const random = this.#random;
    const text = random.pick(["ferns", "blue bowl", "nine lamps", "geese near the mill"]);
    const field: Field = { label: "Search", name: "q", type: "search" };
    return [
      { is: "type", field, text, sends: random.chance(0.5) ? [this.#search(text)] : [] },
      { is: "press", sends: [this.#search(text)] },
    ];
  }

  /** On open sites a short number is nobody's words. */
  #counting(): readonly Input[] {
    const random = this.#random;
    if (this.#isPrivate || this.#isUnclear) return [{ is: "press", sends: [this.#read()] }];
    const text = String(1 + random.below(9_999));
    const name = this.#name();
    const sent = this.#sent({
      name,
      path: `/${name}/${random.pick(CHANGES)}`,
      body: json({ width: Number(text) }),
      clause: "digits",
    });
    return [
      { is: "type", field: { label: "Width", name: "width", type: "number" }, text, sends: [] },
      { is: "press", sends: [sent] },
    ];
  }

  /** Nothing now; the next document sends it. */
  #keeping(): readonly Sent[] {
    if (this.#kept !== null || !this.#mayAsk([])) return [];
    this.#kept = this.#isPrivate ? this.#change("outbox", true) : { ...this.#serious(), clause: "outbox" };
    return [];
  }

  #navigation(): Sent {
    const random = this.#random;
    const name = this.#name();
    const isToken = random.chance(0.3);
    const doing = isToken
      ? `/${name}/confirm?token=${random.hex(24)}`
      : `/${name}/${1 + random.below(90)}/${random.pick(DOING)}`;
    const isAsked = (isToken || this.#isPrivate) && this.#mayAsk([]) && random.chance(0.6);
    if (isAsked)
      return this.#sent({
        name,
        method: "GET",
        path: doing,
        from: "navigation",
        asks: true,
        clause: isToken ? "one-time" : "address",
      });
    const path = `/${name}/${1 + random.below(90)}/${random.pick(SHOWING)}`;
    return this.#sent({ name, method: "GET", path, from: "navigation", clause: "harmless address" });
  }

  #read(slots: Slots = {}): Sent {
    const random = this.#random;
    const name = this.#name();
    const verb = random.chance(0.7) ? random.pick(READS) : random.pick(READ_PAIRS);
    const body = json({
      page: 1 + random.below(9),
      ...(random.chance(0.3) && { owner: "me", sort: "north" }),
      ...slots,
    });
    return this.#sent({ name, path: `/${name}/${verb}`, body, clause: "read" });
  }

  #search(text: string): Sent {
    const random = this.#random;
    const name = this.#name();
    const body = random.pick([json({ q: text }), json({ q: text, page: 1 }), form([["q", text]])]);
    return this.#sent({ name, path: `/${name}/${random.pick(READS)}`, body, clause: "search" });
  }

  #safeVerb(): Sent {
    const name = this.#name();
    return this.#sent({
      name,
      method: this.#random.pick(["PROPFIND", "REPORT"]),
      path: `/${name}/`,
      headers: { Depth: "1" },
      clause: "safe verb",
    });
  }

  #upkeep(): Sent {
    const random = this.#random;
    const name = this.#name();
    return this.#sent({
      name,
      path: `/${name}/${random.pick(UPKEEP)}`,
      body: json({ count: 1 + random.below(90), state: "active" }),
      clause: "upkeep",
    });
  }

  #draft(text: string): Sent {
    const name = this.#name();
    return this.#sent({ name, path: `/${name}/${this.#random.pick(DRAFTS)}`, body: json({ text }), clause: "draft" });
  }

  #change(clause: Clause, asks: boolean): Sent {
    const random = this.#random;
    const name = this.#name();
    const slot = random.pick(HARMLESS_SLOTS);
    const value = random.pick(VALUES);
    const body = random.pick([
      json({ [slot]: value }),
      form([[slot, value]]),
      parts([[slot, value]]),
      json({ layout: { [slot]: value, page: 2 } }),
    ]);
    return this.#sent({
      name,
      method: random.pick(["POST", "POST", "PUT", "PATCH"]),
      path: `/${name}/${random.pick(CHANGES)}`,
      body,
      asks,
      clause,
    });
  }

  /** Of an open site, caused by an input. */
  #plain(): Sent {
    return this.#isUnclear ? this.#read() : this.#change("plain", false);
  }

  #serious(): Sent {
    const random = this.#random;
    const name = this.#name();
    const id = 1 + random.below(90);
    const verb = random.pick(SERIOUS);
    const made = random.pick<Pick<Sent, "method" | "path" | "body"> & { readonly headers?: Sent["headers"] }>([
      { method: "DELETE", path: `/${name}/${id}`, body: { is: "none" } },
      { method: "POST", path: `/${name}/${id}/${verb}`, body: { is: "none" } },
      { method: "POST", path: `/${name}/${verb}`, body: json({ id }) },
      { method: "POST", path: `/${name}/items?action=${verb}`, body: form([["id", String(id)]]) },
      { method: "POST", path: `/${name}/items`, body: json({ action: verb, id }) },
      {
        method: "POST",
        path: `/${name}/rpc`,
        body: json({ jsonrpc: "2.0", id: 1, method: `items.${verb}`, params: [id] }),
      },
      {
        method: "POST",
        path: `/${name}/items/${id}`,
        headers: { "X-HTTP-Method-Override": "DELETE" },
        body: { is: "none" },
      },
    ]);
    return this.#sent({ name, ...made, asks: true, clause: "serious verb" });
  }

  #seriousSlot(): Sent {
    const random = this.#random;
    const name = this.#name();
    const [slot, value] = random.pick(SERIOUS_SLOTS);
    const body = random.pick([json({ [slot]: value }), form([[slot, value]]), json({ item: { [slot]: value } })]);
    return this.#sent({ name, path: `/${name}/${random.pick(CHANGES)}`, body, asks: true, clause: "serious slot" });
  }

  #typed(text: string): Sent {
    const random = this.#random;
    const name = this.#name();
    const path = `/${name}/${random.pick(CHANGES)}`;
    if (random.chance(0.3)) {
      const written = random.pick([
        text.toUpperCase(),
        [...text].reverse().join(""),
        Buffer.from(text).toString("base64"),
        text.split(" ").join("_"),
      ]);
      return this.#sent({ name, path, body: json({ shade: written }), asks: true, clause: "rewritten" });
    }
    const body = random.pick<Sending>([
      json({ words: text }),
      form([["words", text]]),
      parts([["words", text]]),
      { is: "text", text },
      json({ data: JSON.stringify({ words: text }) }),
      json([["north", text]]),
    ]);
    return this.#sent({ name, path, body, asks: true, clause: "typed", to: random.chance(0.15) ? "other" : "own" });
  }

  #file(): Sent {
    const name = this.#name();
    return this.#sent({
      name,
      path: `/${name}/${this.#random.pick(CHANGES)}`,
      body: { is: "file", fields: [["shade", "north"]] },
      asks: true,
      clause: "file",
    });
  }

  #bytes(): Sent {
    const random = this.#random;
    const name = this.#name();
    const bytes = Array.from({ length: 12 }, () => 128 + random.below(128));
    return this.#sent({
      name,
      path: `/${name}/${random.pick(CHANGES)}`,
      body: { is: "bytes", bytes },
      asks: true,
      clause: "opaque",
    });
  }

  #crossSite(): Sent {
    return { ...this.#change("cross site", true), to: "other", from: "page" };
  }

  /** From one open site to another, with nothing of anybody's. */
  #crossPlain(): Sent {
    return this.#isUnclear ? this.#read() : { ...this.#change("plain", false), to: "other", from: "page" };
  }

  #corner(): Sent {
    return { ...this.#change("corner", true), to: "corner", from: "page" };
  }

  #graphqlRead(name: string, clause: Clause): Sent {
    const query = `query ${capital(name)} { ${name} { id title } }`;
    return this.#sent({ name, path: this.#graphql ?? `/${name}/graphql`, body: json({ query }), clause });
  }

  #graphqlChange(): Sent {
    const name = this.#name();
    const query = `mutation ${capital(name)} { delete${capital(name)}(id: 7) { id } }`;
    const path = this.#graphql ?? `/${name}/graphql`;
    // A place to which somebody said no is closed.
    if (this.#answer === "no") this.#graphql = null;
    return this.#sent({ name, path, body: json({ query }), asks: true, clause: "graphql change" });
  }

  #redirected(): Sent {
    const random = this.#random;
    const first = this.#isPrivate ? this.#change("private", true) : this.#seriousSlot();
    const redirect: Redirect = random.pick([
      { status: 307, path: `/${first.name}/everything/transfer`, asks: true },
      { status: 303, path: `/${first.name}/done`, asks: false },
    ]);
    if (redirect.asks) this.#questions += 1;
    return { ...first, from: "page", redirect };
  }

  #knowSomething(): Known {
    const random = this.#random;
    const name = this.#name();
    const free: Known["free"] = random.pick([
      ["seq", (at) => at + 1],
      ["revision", (at) => 40 + at],
      [
        "part",
        (at) => ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"][at] ?? `part-${at}`,
      ],
      ["nonce", () => random.hex(16)],
    ]);
    const header = random.pick(OPERATION_HEADERS);
    const known: Known = {
      name,
      path: `/${name}/${random.pick(CHANGES)}`,
      headers: random.chance(0.4) ? { [header]: "north-7" } : {},
      fixed: [random.pick(HARMLESS_SLOTS), random.pick(VALUES)],
      free,
      sent: 0,
    };
    this.#known.push(known);
    return known;
  }

  #again(
    known: Known,
    clause: Clause,
    asks: boolean,
    other: { readonly fixed?: string; readonly headers?: Sent["headers"] } = {},
  ): Sent {
    const [slot, value] = known.fixed;
    const [free, next] = known.free;
    const body = json({ [slot]: other.fixed ?? value, [free]: next(known.sent) });
    known.sent += 1;
    return this.#sent({
      name: known.name,
      path: known.path,
      headers: other.headers ?? known.headers,
      body,
      asks,
      clause,
    });
  }

  #knownAgain(): Sent | null {
    const known = this.#random.chance(0.8) ? this.#known[0] : undefined;
    return known === undefined || this.#isUnclear ? null : this.#again(known, "learned", false);
  }

  /**
   * On open sites a harmless slot may change; where something is of a person, only in the ways it did by itself. Asked
   * about once: afterwards it is answered.
   */
  #knownOtherwise(): Sent | null {
    const known = this.#known[0];
    if (known === undefined || !this.#isPrivate) return null;
    this.#known.shift();
    const [header] = Object.keys(known.headers);
    if (header !== undefined && this.#random.chance(0.5))
      return this.#again(known, "header", true, { headers: { [header]: "south-8" } });
    const value = this.#random.pick(VALUES.filter((each) => each !== known.fixed[1]));
    return this.#again(known, "fixed slot", true, { fixed: value });
  }

  #sent(given: Partial<Sent> & Pick<Sent, "name" | "path" | "clause">): Sent {
    const { asks = false } = given;
    if (asks) this.#questions += 1;
    return {
      method: "POST",
      to: "own",
      headers: {},
      body: { is: "none" },
      from: "page",
      delayMs: 0,
      isAfter: false,
      redirect: null,
      asks,
      ...given,
    };
  }

  #mayAsk(sends: readonly Sent[]): boolean {
    return this.#questions < MOST_QUESTIONS && sends.filter(({ asks }) => asks).length < MOST_OF_AN_INPUT;
  }

  #name(): string {
    const name = this.#names.pop();
    if (name === undefined) throw new Error("no words are left");
    return name;
  }
}

function json(value: unknown): Sending {
  return { is: "json", text: JSON.stringify(value) };
}

function form(fields: readonly (readonly [string, string])[]): Sending {
  return { is: "form", fields };
}

function parts(fields: readonly (readonly [string, string])[]): Sending {
  return { is: "parts", fields };
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
