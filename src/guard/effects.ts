import { requestDigest } from "../approval/digest.ts";
import {
  type Described,
  decideEffect,
  describeEffect,
  type EffectsPolicy,
  type Mode,
  PLAIN_FACTS,
  permitsEffect,
  reach,
  siteOf,
  writtenHeaders,
} from "../gate/index.ts";
import type { CallId, Choice, EffectClass, QuestionId, Refuse, RequestFacts, RuleId, Site, Verdict } from "../types.ts";
import type { Asking, Waiting } from "./asking.ts";
import { askAboutEffects } from "./effect-question.ts";
import type { Grant, Grants, NewGrant, Permits } from "./grants.ts";
import type { Held, Input, Inputs } from "./inputs.ts";
import { denied, nobodyToAsk, noLongerAsked, once, onlyReading, quiet, unwritten } from "./refusals.ts";
import type { Typed } from "./typed.ts";

export interface EffectsOptions {
  readonly policy: EffectsPolicy;
  readonly mode: Mode;
  /** Nobody is asked: what would be is refused, and the guard only writes it down. */
  readonly isObserving: boolean;
  readonly sessionId: string;
  readonly inputs: Inputs;
  readonly typed: Typed;
  readonly asking: Asking;
  readonly grants: Grants;
  readonly isPrivateSite: (site: Site | null) => boolean;
  /** Writes down what was granted. False when that failed. */
  readonly recordGrant: (grant: Grant, waiting: Waiting | null) => boolean;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly setTimer: (work: () => void, ms: number) => void;
}

/** What was decided about a request, for its record. */
export interface EffectVerdict {
  readonly verdict: Verdict;
  /** Null: it changes nothing, as far as its facts tell. */
  readonly digest: string | null;
  readonly grant: string | null;
  /** The question whose answer decided. */
  readonly question: QuestionId | null;
}

/** After a call is over, requests that come so close to one another are asked about together. */
const GATHER_MS = 50;
/** A yes for a request whose page gave up holds for a byte-identical one this long. */
const KEPT_YES_MS = 120_000;
const FORM_STEPS = 10;
/** First-party requests of open sites that need no question, a session. */
const FREE_REQUESTS = 20;
/** Of one input; a page that sends on and on gets no further. */
const MAX_HELD = 50;
/** Places and shapes remembered of pages. */
const MAX_REMEMBERED = 5_000;

/** Rules of reach by which a place is the operator's choice; by any other it is only let in, and nothing is sent there. */
const CHOSEN: ReadonlySet<RuleId> = new Set(["reach.scope", "reach.private", "reach.own", "reach.helper", "reach.firstUse", "reach.rule"]);

/** Rule 4: a request that changes something waits at the wire for a yes that is bound to it. */
export class Effects {
  readonly #options: EffectsOptions;
  readonly #ownShapes = new Set<string>();
  readonly #askedPlaces = new Set<string>();
  /** Requests that go on somebody's yes, by the wire's id. */
  readonly #leaving = new Map<string, { readonly digest: string; readonly document: string | null; readonly waiting: Waiting | null }>();
  /** What has left, so that the server's own redirect may carry it on within its site. */
  readonly #sent = new Set<string>();
  /** What was asked about a place last. */
  readonly #asked = new Map<string, readonly string[]>();
  #free = FREE_REQUESTS;

  constructor(options: EffectsOptions) {
    this.#options = options;
  }

  /** Decides a request that reach allows by that rule. Holds it where somebody has to be asked. */
  decide(facts: RequestFacts, reachRule: RuleId, onHold: () => void): EffectVerdict | Promise<EffectVerdict> {
    const { inputs, typed, mode, policy, grants, clock } = this.#options;
    const call = inputOf(facts);
    const input = call === null ? undefined : inputs.of(call);
    const described = describeEffect({ ...facts, documentUrl: facts.from.documentUrl, mainUrl: facts.from.mainUrl, element: elementOf(input) });
    if (isElsewhere(facts, described, reachRule)) return decided(quiet("effects.elsewhere", described.site), null);
    // Most requests: nothing of what follows is worked out for them.
    if (!described.isUnsafe && !described.isGetEffect) return decided({ verdict: "allow", rule: reachRule }, null);
    const digest = this.#digestOf(facts);
    if (facts.hop > 0 && this.#isCarriedOn(facts, described)) return this.#let(facts, described, digest, "effects.hop", null);
    const grant = grants.find((permits) => this.#fits(permits, described, digest, facts), clock());
    const isSeen = !typed.hasUnseen(siteOfUrl(facts.from.documentUrl)) && !typed.hasUnseen(described.site);
    const decision = decideEffect(policy, described, {
      mode,
      by: facts.cause.by,
      hasInput: this.#mayFollow(facts, described, call),
      isPrivateSite: this.#options.isPrivateSite(described.site),
      isOpenSite: reach(grants.policy, { ...PLAIN_FACTS, url: facts.url }).rule === "reach.open",
      ownShape: isSeen && this.#ownShapes.has(described.shape),
      wasAsked: this.#askedPlaces.has(described.place),
      typedValues: typed.values,
      freeLeft: isSeen ? this.#free : 0,
      grant: grant?.id ?? null,
    });
    switch (decision.is) {
      case "none":
        return decided({ verdict: "allow", rule: reachRule }, null);
      case "pass":
        if (decision.rule === "effects.grant" && (grant === null || !grants.consume(grant.id, clock())))
          return decided(this.#unasked(described, decision.rule), digest);
        if (decision.free === true) this.#free -= 1;
        if (decision.rule === "effects.own") remember(this.#ownShapes, described.shape);
        return this.#let(facts, described, digest, decision.rule, decision.rule === "effects.grant" ? grant : null);
      case "quiet":
        return decided(quiet(decision.rule, described.site), digest);
      case "refuse":
        remember(this.#askedPlaces, described.place);
        return decided(this.#unasked(described, decision.rule), digest);
      case "ask":
        // By the time of a yes its document is gone for good, and with it what the yes is for.
        if (isOfNoDocument(facts)) return decided(quiet("effects.left", described.site), digest);
        remember(this.#askedPlaces, described.place);
        return this.#ask(facts, described, digest, decision.rule, input ?? inputs.byItself(facts.from.document ?? facts.from.target), onHold);
      default:
        decision satisfies never;
        return decided(this.#unasked(described, "effects.failed"), digest);
    }
  }

  /** Whether it may follow from an input of the agent's; what is not known may. */
  #mayFollow(facts: RequestFacts, described: Described, call: CallId | null): boolean {
    if (call !== null || facts.input === undefined || isOfNoDocument(facts)) return true;
    // A document that sends a form off by itself was led there.
    if (facts.kind === "navigation" || (facts.kind === "subframe" && described.isUnsafe)) return true;
    // A site can keep what was done in it for its next page. Where something of a person's is at stake, that counts.
    return this.#options.isPrivateSite(described.site) && this.#options.typed.hasTouched(described.site);
  }

  /** The wire says what became of a request that was let go. */
  released(facts: RequestFacts, isSent: boolean): void {
    const leaving = this.#leaving.get(facts.id);
    this.#leaving.delete(facts.id);
    if (leaving === undefined || isSent) return;
    const { digest, document, waiting } = leaving;
    this.#grant({ source: "answer", permits: { kind: "request", digest, document }, left: 1, until: this.#options.clock() + KEPT_YES_MS }, waiting);
  }

  /** The call's own requests are all there: asks about what is held of them. Null when nothing is. */
  asks(call: CallId): Waiting | null {
    const input = this.#options.inputs.of(call);
    if (input === undefined) return null;
    input.isGathering = false;
    return this.#askNow(input);
  }

  /** The call is given up: what it holds is refused. */
  drop(call: CallId): void {
    const { inputs, asking } = this.#options;
    const input = inputs.of(call);
    asking.withdraw((question) => question.call === call || question.id === input?.waiting?.question.id);
    if (input === undefined || input.answer !== null) return;
    input.isGathering = false;
    this.#answer(input, "no");
  }

  #ask(facts: RequestFacts, described: Described, digest: string, rule: RuleId, input: Input, onHold: () => void): EffectVerdict | Promise<EffectVerdict> {
    // A document that took the place of the one that asked sends for itself.
    const key = `${facts.input ?? ""} ${facts.from.document ?? ""} ${digest}`;
    if (this.#options.isObserving) return decided(this.#unasked(described, rule), digest);
    if (input.answer !== null) {
      if (input.released.has(key)) return decided(quiet("effects.again", described.site), digest);
      return decided(input.answer === "no" && input.waiting !== null ? denied(described.site) : once(described.site), digest);
    }
    const isNew = !input.held.some((held) => held.key === key);
    if (input.waiting !== null && isNew) return decided(once(described.site), digest);
    if (input.held.length >= MAX_HELD || !this.#options.asking.canAsk(input.approver, described.place)) return decided(this.#unasked(described, rule), digest);
    onHold();
    return new Promise((resolve) => {
      const settle = (verdict: Verdict): void => resolve({ verdict, digest, grant: null, question: input.waiting?.question.id ?? null });
      input.held.push({ facts, described, digest, key, settle });
      if (!input.isGathering && input.waiting === null) this.#options.setTimer(() => this.#askNow(input), GATHER_MS);
    });
  }

  #askNow(input: Input): Waiting | null {
    if (input.waiting !== null || input.held.length === 0 || input.answer !== null) return input.answer === null ? input.waiting : null;
    const { asking } = this.#options;
    try {
      input.waiting = askAboutEffects(asking, input, this.#options.typed, this.#asked);
    } catch {
      this.#answer(input, "no");
      return null;
    }
    const { waiting } = input;
    void waiting.answered.then((choice) => this.#answer(input, choice));
    return waiting;
  }

  #answer(input: Input, choice: Choice): void {
    if (input.answer !== null) return;
    input.answer = choice;
    const held = input.held.splice(0);
    if (choice !== "no" && choice !== "once" && !this.#widen(held, choice, input.waiting)) {
      for (const { settle } of held) settle(unwritten());
      return;
    }
    for (const [index, one] of held.entries()) {
      const { facts, described, digest, key, settle } = one;
      if (choice === "no") settle(denied(described.site));
      // An app that gave up has sent the same again: only the newest can still leave.
      else if (held.slice(index + 1).some((later) => later.key === key)) settle(quiet("effects.again", described.site));
      else {
        input.released.add(key);
        this.#note(facts, described, digest, input.waiting);
        settle({ verdict: "allow", rule: "effects.answer" });
      }
    }
  }

  /** A wider answer is a grant of its own, beside the once for what is held. */
  #widen(held: readonly Held[], choice: "form" | "task", waiting: Waiting | null): boolean {
    return held.every(({ described, facts }) => {
      if (!isWidenable(described)) return true;
      const permits: Permits | null =
        choice === "task"
          ? { kind: "sort", shape: described.shape }
          : described.site === null
            ? null
            : { kind: "form", site: described.site, page: pathOf(facts.from.documentUrl), place: described.place };
      return permits === null || this.#grant({ source: "answer", permits, left: choice === "form" ? FORM_STEPS - 1 : null }, waiting);
    });
  }

  #grant(grant: NewGrant, waiting: Waiting | null): boolean {
    return this.#options.recordGrant(this.#options.grants.add(grant), waiting);
  }

  #fits(permits: Permits, described: Described, digest: string, facts: RequestFacts): boolean {
    switch (permits.kind) {
      case "effect":
        return permitsEffect(permits.entry, described);
      case "request":
        return permits.digest === digest && permits.document === (facts.from.document ?? null);
      case "form":
        return (
          isWidenable(described) &&
          described.site === permits.site &&
          !described.crossSite &&
          (described.place === permits.place || (permits.page !== null && pathOf(facts.from.documentUrl) === permits.page))
        );
      case "sort":
        return isWidenable(described) && described.shape === permits.shape;
      case "reach":
      case "private":
      case "anySite":
        return false;
      default:
        permits satisfies never;
        return false;
    }
  }

  #let(facts: RequestFacts, described: Described, digest: string, rule: RuleId, grant: Grant | null): EffectVerdict {
    this.#note(facts, described, digest, null);
    return { verdict: { verdict: "allow", rule }, digest, grant: grant?.id ?? null, question: null };
  }

  #note(facts: RequestFacts, described: Described, digest: string, waiting: Waiting | null): void {
    if (waiting !== null) this.#leaving.set(facts.id, { digest, document: facts.from.document ?? null, waiting });
    remember(this.#sent, carriedKey(described.site, facts.method, facts.url, facts.body));
  }

  /** A 307 or 308: the server of that site passes on within its site what it was sent. */
  #isCarriedOn(facts: RequestFacts, described: Described): boolean {
    return facts.redirectedFrom !== null && described.isUnsafe && this.#sent.has(carriedKey(described.site, facts.method, facts.redirectedFrom, facts.body));
  }

  #digestOf(facts: RequestFacts): string {
    const { body } = facts;
    return requestDigest({
      sessionId: this.#options.sessionId,
      method: facts.method,
      url: facts.url,
      // What cannot be inspected is like nothing else.
      bodyDigest: body.kind === "bytes" ? body.digest : body.kind === "none" ? null : `opaque ${facts.id}`,
      contentType: body.kind === "none" ? null : body.contentType,
      documentUrl: facts.from.documentUrl,
      written: writtenHeaders(facts.headers),
    });
  }

  #unasked(described: Described, rule: RuleId): Refuse {
    if (this.#options.mode === "read") return onlyReading(rule, described);
    return this.#options.asking.hasSomebody() ? noLongerAsked(rule, described) : nobodyToAsk(rule, described);
  }
}

/** The input that a request follows from; a navigation that the running call makes is that call's. */
function inputOf(facts: RequestFacts): CallId | null {
  if (facts.input !== undefined && facts.input !== null) return facts.input;
  return facts.cause.by === "call" && facts.kind === "navigation" ? facts.cause.call : null;
}

function elementOf(input: Input | undefined): { readonly role: string; readonly name: string; readonly formMethod: string | null } | null {
  const element = input?.element ?? null;
  return element === null ? null : { role: element.role, name: element.name, formMethod: element.form?.method ?? null };
}

/** Data for a site that is only let in, telemetry mostly; and the question of a browser whether it may send it. */
function isElsewhere(facts: RequestFacts, described: Described, reachRule: RuleId): boolean {
  if (CHOSEN.has(reachRule) || facts.kind === "navigation" || !described.crossSite || facts.cause.by === "code") return false;
  return described.isUnsafe || asksForUnsafe(facts);
}

/** Of a page's document that is no more. */
function isOfNoDocument({ kind, from }: RequestFacts): boolean {
  return kind === "data" && from.page !== null && from.document === null;
}

/** A preflight of what would be refused: its answer alone tells where the page is. */
export function asksForUnsafe(facts: RequestFacts): boolean {
  if (facts.method !== "OPTIONS") return false;
  for (const [name, value] of Object.entries(facts.headers)) if (name.toLowerCase() === "access-control-request-method") return !/^(GET|HEAD)$/i.test(value);
  return false;
}

function isWidenable(described: Described): boolean {
  return (
    described.effect !== ("irreversible" satisfies EffectClass) &&
    (described.parts.kind === "none" || described.parts.whole) &&
    described.parts.files.length === 0
  );
}

function carriedKey(site: Site | null, method: string, url: string, body: RequestFacts["body"]): string {
  return JSON.stringify([site, method, url, body.kind === "bytes" ? body.digest : body.kind]);
}

function pathOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : null;
}

function siteOfUrl(url: string | null): Site | null {
  return url === null ? null : siteOf(url);
}

function remember(known: Set<string>, key: string): void {
  known.add(key);
  const [oldest] = known;
  if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
}

function decided(verdict: Verdict, digest: string | null): EffectVerdict {
  return { verdict, digest, grant: null, question: null };
}
