import { LRUCache } from "lru-cache";
import { requestDigest } from "../approval/digest.ts";
import {
  type Described,
  decideEffect,
  describeEffect,
  type EffectDecision,
  type EffectsPolicy,
  holdsPart,
  isSeriousSlot,
  type Mode,
  permitsEffect,
  type Slot,
  seriousVerbOf,
  writtenHeaders,
} from "../gate/index.ts";
import type {
  Approver,
  CallId,
  Choice,
  EffectClass,
  Intent,
  QuestionId,
  Refuse,
  RequestFacts,
  RuleId,
  Site,
  Verdict,
} from "../types.ts";
import { carriesChoice, handsOver, ofItsMaker } from "./address.ts";
import type { Asking, Waiting } from "./asking.ts";
import { type AskedAbout, askAboutEffects } from "./effect-question.ts";
import { fits, widened } from "./fits.ts";
import { followingOf, follows, isSentElsewhere } from "./following.ts";
import type { Grant, Grants, NewGrant, Permits } from "./grants.ts";
import type { Held, Input, Inputs } from "./inputs.ts";
import { closedKey, draftKey, placeOf, siteOfUrl, socketPlaceOf } from "./places.ts";
import {
  carried,
  denied,
  elsewhere,
  nobodyToAsk,
  noLongerAsked,
  onlyReading,
  quiet,
  unansweredSocket,
} from "./refusals.ts";
import { Rounds } from "./rounds.ts";
import { sameOf } from "./same.ts";
import { beginSignIn, isStepOf, type SignIn, signInOf } from "./sign-in.ts";
import type { SiteFacts } from "./site-facts.ts";
import { Sockets } from "./sockets.ts";
import type { Typed } from "./typed.ts";

export interface EffectsOptions {
  readonly policy: EffectsPolicy;
  readonly mode: Mode;
  readonly isStrict: boolean;
  /** Nobody is asked: what would be is refused, and the guard only writes it down. */
  readonly isObserving: boolean;
  readonly sessionId: string;
  readonly inputs: Inputs;
  readonly sites: SiteFacts;
  readonly typed: Typed;
  readonly asking: Asking;
  readonly grants: Grants;
  /** Whether a text stands in the operator's words. */
  readonly isOperators: (text: string) => boolean;
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

/** A yes for a request whose page gave up holds for the same one this long. */
const KEPT_YES_MS = 120_000;
/** Requests without a stake that need no question, a task. */
const FREE_REQUESTS = 50;
/** Places remembered. */
const MAX_REMEMBERED = 5_000;
/** After a password has left, where its page goes on to is a place where somebody signed in. */
const SIGNED_IN_MS = 60_000;

/** Rules of reach by which a place is the operator's choice; by any other it is only let in. */
const CHOSEN: ReadonlySet<RuleId> = new Set<RuleId>([
  "reach.scope",
  "reach.private",
  "reach.own",
  "reach.helper",
  "reach.firstUse",
  "reach.rule",
]);

/** Rule 4: a request with a stake waits at the wire for a yes that is bound to it. */
export class Effects {
  readonly #options: EffectsOptions;
  readonly #rounds: Rounds;
  /** What somebody said no to, and the input that it followed from. */
  readonly #closed = new LRUCache<string, Input>({ max: MAX_REMEMBERED });
  /** Requests that go on somebody's yes, by the wire's id. */
  readonly #leaving = new Map<
    string,
    { readonly same: string; readonly document: string | null; readonly waiting: Waiting | null }
  >();
  /** What was asked about a place last. */
  readonly #asked = new Map<string, readonly string[]>();
  /** Drafts that passed, for the question of what they become. */
  readonly #drafts = new LRUCache<Site, number>({ max: MAX_REMEMBERED });
  /** Addresses where this session has left a draft. */
  readonly #ownDrafts = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  /** What this session made: paths answered 201. */
  readonly #made = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  readonly #sockets: Sockets;
  #signIn: SignIn | null = null;
  /** Pages that a password has left, until when. */
  readonly #signedIn = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  #free = FREE_REQUESTS;

  constructor(options: EffectsOptions) {
    this.#options = options;
    this.#sockets = new Sockets(options);
    this.#rounds = new Rounds({
      asking: options.asking,
      setTimer: options.setTimer,
      approverOf: (input) => options.inputs.approverOf(input),
      ask: (input) => this.#question(input),
      widen: (held, choice, input) => this.#widen(held, choice, input),
      allowed: (held, input) => this.#allowed(held, input),
      answered: (...answer) => this.#answered(...answer),
      anew: (held, input) => this.#anew(held, input),
    });
  }

  /** The operator gave a further task. */
  newTask(): void {
    this.#free = FREE_REQUESTS;
  }

  /** Decides a request that reach allows by that rule. Holds it where somebody has to be asked. */
  decide(given: RequestFacts, reachRule: RuleId, onHold: () => void): EffectVerdict | Promise<EffectVerdict> {
    const facts = ofItsMaker(given);
    const { inputs, sites, policy, clock, mode, isStrict, typed, grants } = this.#options;
    const call = inputOf(facts);
    const input = call === null ? undefined : inputs.of(call);
    const site = siteOfUrl(facts.url);
    const documentSite = siteOfUrl(facts.from.documentUrl);
    this.#notice(facts, site, documentSite, call !== null);
    const isPrivate = sites.isPrivate(site);
    const isPrivateDocument = documentSite !== null && sites.isPrivate(documentSite);
    const described = describeEffect({
      ...facts,
      documentUrl: facts.from.documentUrl,
      mainUrl: facts.from.mainUrl,
      isPrivateSite: isPrivate,
      element: elementOf(input),
    });
    const isCarried = isPrivateDocument && site !== documentSite && this.#isCarried(facts, documentSite);
    if (facts.kind === "socket") return this.#socket(facts, described, input, onHold);
    // Most requests: nothing of what follows is worked out for them.
    if (!described.isUnsafe && !described.isGetEffect && !isCarried)
      return decided({ verdict: "allow", rule: reachRule }, null);
    const digest = this.#digestOf(facts);
    const same = sameOf(facts, described);
    const key = JSON.stringify([facts.input ?? "", facts.from.document ?? "", same]);
    const now = clock();
    const grant = grants.find(this.#fitting(described, same, facts), now);
    if (isCarried && grant === null) return decided(carried(described), digest);
    const isByInput = (input !== undefined || facts.input === undefined || call !== null) && facts.isLater !== true;
    const closedBy = this.#closed.get(closedKey(described));
    const learned = sites.learned(site);
    const isSerious = this.#isSerious(described, learned);
    const decision = decideEffect(policy, described, {
      mode,
      by: facts.cause.by,
      isStrict,
      isPrivate,
      isPrivateDocument,
      isTouched: sites.isTouched(site) || sites.isTouched(documentSite),
      isByInput,
      isChosen: CHOSEN.has(reachRule),
      isNamedHost: sites.isNamedHost(facts.from.documentUrl, facts.url),
      isClosed: closedBy !== undefined && (closedBy === input || !isByInput),
      typed: typed.texts,
      hasUnseen: typed.hasUnseen(site),
      // Bytes that nobody has seen are the same as no others. What somebody said no to is asked about, whatever else
      // would let it pass.
      isLearned:
        closedBy === undefined &&
        (described.parts.whole || described.parts.digest !== null) &&
        learned?.knows(described.operation) === true,
      isKnownForm: learned?.knowsForm(described.operation) === true,
      knowsSlot: (slot: Slot) => learned?.knowsSlot(described.operation, slot) === true,
      isGraphqlPlace: sites.isGraphqlPlace(described.place),
      // The same once more is another change; sent on to where it is already, it is none.
      isFollowing:
        closedBy === undefined &&
        !isSentElsewhere(facts) &&
        follows(input?.following ?? null, described, facts.hop > 0 ? "" : same, now),
      isOwnDraft: this.#ownDrafts.has(draftKey(described)),
      isSigningIn: isStepOf(this.#signIn, facts, described, isSerious, now),
      freeLeft: this.#free,
      grant: grant?.id ?? null,
    });
    return this.#carryOut(decision, {
      facts,
      described,
      digest,
      same,
      key,
      input,
      grant,
      reachRule,
      isByInput,
      onHold,
    });
  }

  #carryOut(
    decision: EffectDecision,
    about: {
      readonly facts: RequestFacts;
      readonly described: Described;
      readonly digest: string;
      readonly same: string;
      readonly key: string;
      readonly input: Input | undefined;
      readonly grant: Grant | null;
      readonly reachRule: RuleId;
      readonly isByInput: boolean;
      readonly onHold: () => void;
    },
  ): EffectVerdict | Promise<EffectVerdict> {
    const { facts, described, digest, same, key, input, grant, reachRule, onHold } = about;
    const { sites, grants, clock, inputs } = this.#options;
    switch (decision.is) {
      case "none":
        return decided({ verdict: "allow", rule: reachRule }, null);
      case "pass": {
        const isGranted = decision.rule === "effects.grant";
        if (isGranted && (grant === null || !grants.consume(grant.id, clock())))
          return decided(this.#unasked(described, decision.rule), digest);
        if (decision.free === true) this.#free -= 1;
        if (decision.rule === "effects.follows" && input?.following) input.following.left -= 1;
        if (decision.rule === "effects.signIn" && this.#signIn !== null) this.#signIn.left -= 1;
        if (decision.rule === "effects.draft" && described.site !== null) {
          this.#drafts.set(described.site, (this.#drafts.get(described.site) ?? 0) + 1);
          if (described.method === "DELETE") this.#ownDrafts.delete(draftKey(described));
          else if (draftKey(described) !== described.url) this.#ownDrafts.set(draftKey(described), true);
        }
        const documentSite = siteOfUrl(facts.from.documentUrl);
        const isOwn =
          described.kind === "data" &&
          !about.isByInput &&
          !sites.isTouched(described.site) &&
          !sites.isTouched(documentSite);
        if (isOwn) sites.learn(described.site, described.operation, described.isGraphql ? described.place : null);
        this.#sends(facts, described);
        return {
          verdict: { verdict: "allow", rule: decision.rule },
          digest,
          grant: isGranted ? (grant?.id ?? null) : null,
          question: null,
        };
      }
      case "quiet":
        return decided(quiet(decision.rule, described.site), digest);
      case "refuse":
        if (decision.rule === "effects.denied") return decided(denied(described.site), digest);
        if (decision.rule === "effects.elsewhere") return decided(elsewhere(described), digest);
        return decided(this.#unasked(described, decision.rule), digest);
      case "ask": {
        // By the time of a yes its document is gone for good, and with it what the yes is for.
        if (isOfNoDocument(facts)) return decided(quiet("effects.left", described.site), digest);
        if (this.#options.isObserving) return decided(this.#unasked(described, decision.rule), digest);
        const unasked = (): Refuse => this.#unasked(described, decision.rule);
        const weight = WEIGHTS[described.effect] + (decision.rule === "effects.serious" ? WEIGHTS.serious : 0);
        const asker = input ?? inputs.byItself(facts.from.document ?? facts.from.target);
        const held = this.#rounds.hold(
          asker,
          { facts, described, digest, same, key, weight, rule: decision.rule, at: clock() },
          unasked,
          onHold,
        );
        if (!(held instanceof Promise)) return decided(held, digest);
        return held.then((settled) => ({ ...settled, digest }));
      }
      default:
        decision satisfies never;
        return decided(this.#unasked(described, "effects.failed"), digest);
    }
  }

  /** Before an input: see `Sockets.before`. */
  socketsBefore(intent: Intent, approver: Approver | undefined): Waiting | Refuse | null {
    return this.#options.isObserving ? null : this.#sockets.before(intent, approver);
  }

  /** The wire says what became of a request that was let go. */
  released(facts: RequestFacts, isSent: boolean): void {
    const leaving = this.#leaving.get(facts.id);
    this.#leaving.delete(facts.id);
    if (leaving === undefined || isSent) return;
    const { same, document, waiting } = leaving;
    this.#grant(
      {
        source: "answer",
        permits: { kind: "request", same, document },
        left: 1,
        until: this.#options.clock() + KEPT_YES_MS,
      },
      waiting,
    );
  }

  /**
   * A server answered: what it made in this session can be taken back by this session. `location`: of the answer,
   * absolute.
   */
  made(url: string, location: string | null): void {
    for (const place of [url, location]) if (place !== null) this.#made.set(placeOf(place), true);
  }

  /** The call's own requests are all there: asks about what is held of them. Null when nothing is. */
  asks(call: CallId): Waiting | null {
    const input = this.#options.inputs.of(call);
    if (input === undefined) return null;
    input.isGathering = false;
    return this.#rounds.askNow(input);
  }

  /** The call is given up: what it holds is refused. */
  drop(call: CallId): void {
    const { inputs, asking } = this.#options;
    const input = inputs.of(call);
    asking.withdraw((question) => question.call === call || question.id === input?.waiting?.question.id);
    if (input !== undefined) this.#rounds.drop(input);
  }

  /**
   * A socket cannot be looked into. From a private page that an input touched it is asked about, once for each place.
   */
  #socket(
    facts: RequestFacts,
    described: Described,
    input: Input | undefined,
    onHold: () => void,
  ): EffectVerdict | Promise<EffectVerdict> {
    const { sites, inputs, grants, clock, isObserving } = this.#options;
    const documentSite = siteOfUrl(facts.from.documentUrl);
    const allowed = decided({ verdict: "allow", rule: "effects.socket" }, null);
    const isOfPerson = sites.isPrivate(described.site) || (documentSite !== null && sites.isPrivate(documentSite));
    const place = socketPlaceOf(facts.url);
    if (!isOfPerson || isObserving || facts.cause.by === "code" || this.#sockets.isAnswered(place)) return allowed;
    const closedBy = this.#closed.get(closedKey(described));
    if (closedBy !== undefined && (closedBy === input || input === undefined))
      return decided(denied(described.site), null);
    const grant = grants.find(
      (permits) => permits.kind === "effect" && permitsEffect(permits.entry, asRequest(described)),
      clock(),
    );
    if (grant !== null && grants.consume(grant.id, clock())) {
      this.#sockets.answered(place);
      return { ...allowed, grant: grant.id };
    }
    if (!sites.isTouched(described.site) && !sites.isTouched(documentSite)) {
      this.#sockets.openedBy(documentSite ?? described.site, place);
      return allowed;
    }
    const asker = input ?? inputs.byItself(facts.from.document ?? facts.from.target);
    const digest = this.#digestOf(facts);
    const key = JSON.stringify(["socket", place]);
    const unasked = (): Refuse => unansweredSocket(described.site, place);
    const waits = {
      facts,
      described,
      digest,
      same: place,
      key,
      weight: WEIGHTS.unknown,
      rule: "effects.socket",
      at: clock(),
    } as const;
    const held = this.#rounds.hold(asker, waits, unasked, onHold);
    if (!(held instanceof Promise)) return decided(held, digest);
    return held.then((settled) => ({ ...settled, digest }));
  }

  /** What of a request says about its sites. */
  #notice(facts: RequestFacts, site: Site | null, documentSite: Site | null, isByInput: boolean): void {
    const { sites, clock, isOperators } = this.#options;
    const { kind, url, headers, from } = facts;
    if (
      kind === "data" &&
      Object.entries(headers).some(([name, value]) => name.toLowerCase() === "authorization" && value !== "")
    ) {
      sites.makePrivate(site, "authorization");
      sites.makePrivate(documentSite, "authorization");
    }
    if (kind !== "navigation") return;
    const until = from.page === null ? undefined : this.#signedIn.get(from.page);
    const isReached = until !== undefined && clock() < until;
    if (isReached || handsOver(namesIn(url))) {
      sites.makePrivate(site, isReached ? "signIn" : "code");
      sites.addHost(url, false);
    }
    const isChosen = facts.cause.by === "call" || isByInput;
    if (isChosen) sites.addHost(url, true);
    // A private document is touched from its birth when its address says what to show or do.
    if (isChosen && sites.isPrivate(site) && carriesChoice(url) && !isOperators(url)) sites.touch(site);
  }

  /** From a private document to another site, with a part of what was typed or chosen in it. */
  #isCarried(facts: RequestFacts, documentSite: Site | null): boolean {
    if (facts.kind === "navigation" && facts.cause.by === "call" && (facts.input ?? null) === null) return false;
    return holdsPart(
      facts.url,
      this.#options.typed.texts.filter(({ site }) => site === null || site === documentSite),
    );
  }

  #isSerious(described: Described, learned: ReturnType<SiteFacts["learned"]>): boolean {
    const { operation } = described;
    if (seriousVerbOf(described, operation) !== null) return true;
    return operation.slots.some((slot) => isSeriousSlot(slot, learned?.knowsSlot(operation, slot) === true));
  }

  #question(input: Input): AskedAbout {
    const { asking, typed } = this.#options;
    const signIn = input.held
      .map(({ facts, described }) => signInOf(facts, described, typed.texts, input.acts.at(-1)?.element ?? null))
      .find((one) => one !== null);
    return askAboutEffects({
      asking,
      input,
      approver: this.#options.inputs.approverOf(input),
      typed,
      before: this.#asked,
      signIn: signIn ?? null,
      drafts: (site) => (site === null ? 0 : (this.#drafts.get(site) ?? 0)),
      effectOf: (held) => this.#classOf(held),
    });
  }

  /** Taking away what this session made is no loss. */
  #classOf({ described }: Held): EffectClass {
    if (described.effect !== "irreversible" || described.method !== "DELETE") return described.effect;
    return this.#made.has(placeOf(described.url)) ? "unknown" : described.effect;
  }

  #answered(input: Input, held: readonly Held[], choice: Choice, isPersons: boolean): void {
    const { typed, clock } = this.#options;
    if (choice === "no") {
      if (isPersons) for (const { described } of held) this.#closed.set(closedKey(described), input);
      return;
    }
    for (const { described, facts } of held) {
      if (facts.kind === "socket") this.#sockets.answered(socketPlaceOf(facts.url));
      this.#closed.delete(closedKey(described));
      typed.shown((text) => described.chosen.some((one) => one.includes(text)));
      typed.unseenShown(described.site);
    }
    input.following = followingOf(held, clock());
    const isSignIn = held.some(
      ({ facts, described }) => signInOf(facts, described, typed.texts, input.acts.at(-1)?.element ?? null) !== null,
    );
    if (isSignIn)
      this.#signIn = beginSignIn(
        clock(),
        held.map(({ described }) => described.site),
      );
  }

  /** Whether an answer for others decides about one that still waits. */
  #anew(
    { facts, described, same }: Held,
    input: Input,
  ): { readonly verdict: Verdict; readonly grant: string | null } | null {
    const { grants, clock } = this.#options;
    if (this.#closed.get(closedKey(described)) === input) return { verdict: denied(described.site), grant: null };
    const grant = facts.kind === "socket" ? null : grants.find(this.#fitting(described, same, facts), clock());
    if (grant === null || !grants.consume(grant.id, clock())) return null;
    this.#sends(facts, described);
    return { verdict: { verdict: "allow", rule: "effects.grant" }, grant: grant.id };
  }

  #allowed({ facts, described, same }: Held, input: Input): void {
    this.#leaving.set(facts.id, { same, document: facts.from.document ?? null, waiting: input.waiting });
    this.#sends(facts, described);
  }

  /** It leaves: what it carries tells more of its site. */
  #sends(facts: RequestFacts, described: Described): void {
    const { typed, sites, clock } = this.#options;
    const hasSecret = typed.texts.some(
      ({ text, isSecret }) => isSecret && described.chosen.some((one) => one.includes(text)),
    );
    const names = new Map(described.parts.fields.map(({ name, value }) => [name, value]));
    if (!hasSecret && !handsOver(names)) return;
    sites.makePrivate(described.site, hasSecret ? "secret" : "code");
    sites.addHost(facts.url, false);
    if (facts.from.documentUrl !== null) sites.addHost(facts.from.documentUrl, false);
    if (facts.from.page !== null) this.#signedIn.set(facts.from.page, clock() + SIGNED_IN_MS);
  }

  /** A wider answer is a grant of its own, beside the once for what is held. */
  #widen(held: readonly Held[], choice: "form" | "task", input: Input): boolean {
    return held.every((one) => {
      const wider = widened(choice, one);
      return wider === null || this.#grant({ source: "answer", ...wider }, input.waiting);
    });
  }

  #grant(grant: NewGrant, waiting: Waiting | null): boolean {
    return this.#options.recordGrant(this.#options.grants.add(grant), waiting);
  }

  #fitting(described: Described, same: string, facts: RequestFacts): (permits: Permits) => boolean {
    return (permits) => fits(permits, { described, same, facts, isSerious: () => this.#isSerious(described, null) });
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

const WEIGHTS: Readonly<Record<EffectClass | "serious", number>> = {
  reversible: 0,
  unknown: 1,
  irreversible: 4,
  serious: 2,
};

/** The input that a request follows from; a navigation that the running call makes is that call's. */
function inputOf(facts: RequestFacts): CallId | null {
  if (facts.input !== undefined && facts.input !== null) return facts.input;
  return facts.cause.by === "call" && facts.kind === "navigation" ? facts.cause.call : null;
}

const PRESSES_BY_ENTER: ReadonlySet<string> = new Set(["textbox", "searchbox", "spinbutton"]);

function elementOf(
  input: Input | undefined,
): { readonly role: string; readonly name: string; readonly formMethod: string | null } | null {
  const element = input?.acts.at(-1)?.element ?? null;
  // Enter in a field presses the button of its form; choosing presses none.
  const button = element !== null && PRESSES_BY_ENTER.has(element.role) ? element.form?.button : undefined;
  const name = [element?.name, button].filter((one) => one !== undefined).join(" ");
  return element === null ? null : { role: element.role, name, formMethod: element.form?.method ?? null };
}

/** Of a page's document that is no more. */
function isOfNoDocument({ kind, from }: RequestFacts): boolean {
  return kind === "data" && from.page !== null && from.document === null;
}

/** A preflight of what would be refused: its answer alone tells where the page is. */
export function asksForUnsafe(facts: RequestFacts): boolean {
  if (facts.method !== "OPTIONS") return false;
  for (const [name, value] of Object.entries(facts.headers))
    if (name.toLowerCase() === "access-control-request-method") return !/^(GET|HEAD)$/i.test(value);
  return false;
}

function httpOf(place: string): string {
  return place.replace(/^ws/, "http");
}

/** As an entry of the configuration names it: the GET that becomes a socket. */
function asRequest(described: Described): Described {
  return { ...described, url: httpOf(described.url), effect: "unknown" };
}

function namesIn(url: string): ReadonlyMap<string, string> {
  return URL.canParse(url) ? new Map(new URL(url).searchParams) : new Map();
}

function decided(verdict: Verdict, digest: string | null): EffectVerdict {
  return { verdict, digest, grant: null, question: null };
}
