import { LRUCache } from "lru-cache";
import { said } from "../rules/index.ts";
import type { CallId, Cause, RequestFacts, RequestFrom, Verdict } from "../types.ts";
import type { Connection, WireEvent } from "./connection.ts";
import { narrow } from "./connection.ts";
import { factsOf, headerOf, originOf, type Paused } from "./facts.ts";
import type { Ownership } from "./ownership.ts";
import type { FrameRecord, TargetRecord, Targets } from "./targets.ts";

/** The one that decides. The wire knows no rules. */
export interface Judge {
  /**
   * May take as long as a person needs: the request stays held, and `onHold` is called when it will. A rejection is a
   * refusal.
   */
  request(facts: RequestFacts, onHold?: () => void): Verdict | Promise<Verdict>;
  /** An allowed request has left; or it was gone, or its document was another one, when it should have. */
  released?(facts: RequestFacts, sent: boolean): void;
}

/** Whose doing a request is, and which input of the agent's it may follow from (`RequestFacts.input`). */
export interface Causes {
  readonly cause: Cause;
  readonly input: CallId | null;
  /** The document that asks came after the one that the input went to. */
  readonly isLater?: boolean;
}

/** What became of a request, for the event log. `status` comes later, by `networkId`. */
export interface RequestSeen {
  readonly facts: RequestFacts;
  readonly networkId: string | null;
  readonly verdict: Verdict;
}

/** Hops whose follow-up has not come. Old ones are dropped: a lost hop is judged as a first request, never skipped. */
const REMEMBERED_HOPS = 2_000;
/** Answering a request must not wait longer than the browser would. */
const ANSWER_TIMEOUT_MS = 10_000;

/** From a document's first request to the word that it is there: a few ms when measured. */
const COMMIT_MS = 300;

/** Frames in frames and popups of popups: further up nobody looks. */
const MAX_AROUND = 20;

const BROKEN: Verdict = { verdict: "refuse", rule: "wire.judge", ...said("wire.judge", "plain"), site: null };

/** Holds every request of every target before its first byte leaves, asks the judge, and answers. */
export class Interception {
  readonly #connection: () => Connection;
  readonly #targets: Targets;
  readonly #ownership: Ownership | null;
  readonly #judge: Judge;
  readonly #causeOf: (page: string | null, documentUrl: string | null, document: string | null) => Causes;
  readonly #holding: (page: string, id: string, isHeld: boolean) => void;
  readonly #commits: (page: string, isThere: () => boolean, withinMs: number) => Promise<unknown>;
  readonly #named: (page: string, host: string) => Promise<boolean | null>;
  readonly #held: (facts: RequestFacts, networkId: string | null) => void;
  readonly #seen: (seen: RequestSeen) => void;
  readonly #hops = new LRUCache<string, { readonly count: number; readonly url: string }>({ max: REMEMBERED_HOPS });

  constructor(options: {
    readonly connection: () => Connection;
    readonly targets: Targets;
    /** Null where the whole browser is ours. */
    readonly ownership: Ownership | null;
    readonly judge: Judge;
    readonly causeOf: (page: string | null, documentUrl: string | null, document: string | null) => Causes;
    /** A request of that page waits for a person, or does no more. */
    readonly holding: (page: string, id: string, isHeld: boolean) => void;
    /** Waits while a navigation of that page is under way, no longer than that. */
    readonly commits: (page: string, isThere: () => boolean, withinMs: number) => Promise<unknown>;
    /** Whether the HTML of the page's document names a host. */
    readonly named: (page: string, host: string) => Promise<boolean | null>;
    readonly held: (facts: RequestFacts, networkId: string | null) => void;
    readonly seen: (seen: RequestSeen) => void;
  }) {
    this.#connection = options.connection;
    this.#targets = options.targets;
    this.#ownership = options.ownership;
    this.#judge = options.judge;
    this.#causeOf = options.causeOf;
    this.#holding = options.holding;
    this.#commits = options.commits;
    this.#named = options.named;
    this.#held = options.held;
    this.#seen = options.seen;
  }

  /**
   * Once, at the root of the protocol and before Playwright connects: popups, workers and closing beacons are held too
   * (facts.md, "The wire").
   */
  async start(timeoutMs: number): Promise<void> {
    await this.#connection().send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }, { timeoutMs });
  }

  /** Lets everything go on: only when nothing of ours is left in the browser. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#connection().send("Fetch.disable", {}, { timeoutMs });
  }

  /** True for the interception's own events: those without a session. Playwright's routing has one. */
  event(event: WireEvent): boolean {
    if (event.sessionId !== undefined || !event.method.startsWith("Fetch.")) return false;
    const paused = narrow(event, "Fetch.requestPaused");
    if (paused !== null) void this.#whose(paused);
    return true;
  }

  /** What is known to be the person's own passes at once; all else is judged. */
  async #whose(paused: Paused): Promise<void> {
    if (this.#ownership !== null) {
      const owner = this.#ownership.known(paused.frameId) ?? (await this.#ownership.of(paused.frameId));
      if (owner === "foreign") {
        await this.#go(paused).catch(() => {});
        return;
      }
    }
    await this.#handle(paused);
  }

  /** A socket is never held: what refuses it is that the egress proxy gets no way for it. */
  async socket(url: string, networkId: string, target: TargetRecord): Promise<void> {
    const page = this.#targets.pageOf(target.id);
    const main = page === null ? undefined : this.#targets.frame(page);
    const documentUrl =
      this.#documentOf(this.#targets.frame(target.id)) ?? (target.type === "page" ? null : target.url);
    const facts: RequestFacts = {
      id: networkId,
      kind: "socket",
      resourceType: "WebSocket",
      method: "GET",
      url,
      headers: {},
      body: { kind: "none" },
      from: {
        target: target.id,
        targetType: target.type,
        frame: target.id,
        documentUrl,
        document: this.#loaderOf(target.id),
        mainUrl: main?.url || null,
        page,
        freshPopup: false,
      },
      hop: 0,
      redirectedFrom: null,
      ...this.#causeOf(page, documentUrl, this.#loaderOf(target.id)),
    };
    this.#seen({ facts, networkId, verdict: await this.#verdict(facts) });
  }

  async #verdict(facts: RequestFacts, onHold?: () => void): Promise<Verdict> {
    try {
      return await this.#judge.request(facts, onHold);
    } catch {
      return BROKEN;
    }
  }

  async #handle(paused: Paused): Promise<void> {
    await this.#committed(paused);
    const from = this.#from(paused);
    const hop = this.#hopOf(paused);
    const facts = factsOf(
      paused,
      from,
      hop,
      this.#causeOf(from.page, from.documentUrl, from.document == null ? null : this.#speakerOf(from.frame)),
    );
    const networkId = paused.networkId ?? null;
    this.#hops.set(paused.requestId, { count: hop.count, url: facts.url });
    this.#held(facts, networkId);
    const { page, document = null } = from;
    let isHeld = false;
    const verdict = await this.#verdict(await this.#withNames(facts), () => {
      if (isHeld || page === null) return;
      isHeld = true;
      this.#holding(page, networkId ?? facts.id, true);
    });
    if (isHeld && page !== null) this.#holding(page, networkId ?? facts.id, false);
    this.#seen({ facts, networkId, verdict });
    // What its document asked for is not sent for another one that has come meanwhile.
    const isVoid = isHeld && facts.resourceType !== "Document" && this.#loaderOf(from.frame) !== document;
    let isSent = false;
    try {
      if (verdict.verdict === "allow" && !isVoid) {
        await this.#go(paused);
        isSent = true;
      } else await this.#refuse(paused, facts, verdict.verdict === "refuse" && verdict.quiet === true);
    } catch {
      // The request is gone (its page closed, it was given up): there is nothing left to answer.
    }
    if (verdict.verdict === "allow") this.#judge.released?.(facts, isSent);
  }

  /**
   * A new document's first requests may be announced before the document itself is. Scripts cannot write these headers.
   */
  async #committed({ frameId, resourceType, request }: Paused): Promise<void> {
    const asked = headerOf(request.headers, "origin") ?? headerOf(request.headers, "referer");
    if (asked === undefined || resourceType === "Document" || !/^https?:/.test(asked)) return;
    const isThere = (): boolean => originOf(this.#targets.frame(frameId)?.url ?? "") === originOf(asked);
    if (this.#targets.frame(frameId)?.parentId === null && !isThere()) await this.#commits(frameId, isThere, COMMIT_MS);
  }

  #loaderOf(frame: string): string | null {
    return this.#targets.frame(frame)?.loaderId ?? null;
  }

  /** Whether the page's HTML names the host is looked up for what comes from another host only. */
  async #withNames(facts: RequestFacts): Promise<RequestFacts> {
    const { page, mainUrl } = facts.from;
    if (facts.kind !== "subresource" || page === null || mainUrl === null) return facts;
    const host = hostOf(facts.url);
    if (host === null || host === hostOf(mainUrl)) return facts;
    return { ...facts, namedByDocument: await this.#named(page, host) };
  }

  async #go(paused: Paused): Promise<void> {
    await this.#connection().send(
      "Fetch.continueRequest",
      { requestId: paused.requestId },
      { timeoutMs: ANSWER_TIMEOUT_MS },
    );
  }

  async #refuse(paused: Paused, facts: RequestFacts, isQuiet: boolean): Promise<void> {
    const connection = this.#connection();
    const { requestId } = paused;
    // A document: 204 leaves the page where it is. A beacon or report: 204 is what its sender expects. To what reads an
    // answer a 204 would look like success: the judge says where it does not.
    const quiet =
      isQuiet ||
      paused.resourceType === "Document" ||
      paused.resourceType === "Ping" ||
      paused.resourceType === "CSPViolationReport";
    if (quiet)
      await connection.send("Fetch.fulfillRequest", { requestId, responseCode: 204 }, { timeoutMs: ANSWER_TIMEOUT_MS });
    else
      await connection.send(
        "Fetch.failRequest",
        { requestId, errorReason: "BlockedByClient" },
        { timeoutMs: ANSWER_TIMEOUT_MS },
      );
    // A popup that got no document would stay as an invisible about:blank.
    if (paused.resourceType === "Document" && facts.from.freshPopup) {
      await connection.send("Target.closeTarget", { targetId: facts.from.target }, { timeoutMs: ANSWER_TIMEOUT_MS });
    }
  }

  #from(paused: Paused): RequestFrom {
    const id = paused.frameId;
    const frame = this.#targets.frame(id);
    const target = this.#targets.target(id);
    const page = this.#targets.pageOf(id);
    const main = page === null ? undefined : this.#targets.frame(page);
    const owner = target ?? (page === null ? undefined : this.#targets.target(page));
    const isDocument = paused.resourceType === "Document";
    const opener =
      target?.type === "page" && target.openerId !== null ? this.#targets.frame(target.openerId) : undefined;
    // Until its first commit a tab shows the empty document it was made with.
    const fresh =
      target?.type === "page" &&
      (main === undefined || main.url === "" || main.url === "about:blank" || main.url === ":");
    const ownDocument = this.#documentOf(frame) ?? (target !== undefined && target.type !== "page" ? target.url : "");
    return {
      target: target?.id ?? page ?? id,
      targetType: owner?.type ?? "other",
      frame: id,
      documentUrl: (isDocument && fresh ? this.#documentOf(opener) : ownDocument) || null,
      // What a document sends as it goes has no name there any more: it is not the next one's.
      document: page !== null && isData(paused) && paused.networkId === undefined ? null : this.#loaderOf(id),
      mainUrl: main?.url || null,
      page,
      freshPopup: isDocument && fresh && target.openerId !== null,
    };
  }

  /**
   * The document that acts: what has no address of its own was made by the one around it, or by the one that opened it.
   */
  #speakerOf(id: string): string | null {
    let frame = this.#targets.frame(id);
    for (let steps = 0; frame !== undefined && steps < MAX_AROUND && !/^(https?|blob):/.test(frame.url); steps += 1) {
      const around: string | null = frame.parentId ?? this.#targets.target(frame.id)?.openerId ?? null;
      if (around === null) break;
      frame = this.#targets.frame(around);
    }
    return frame?.loaderId ?? null;
  }

  /**
   * The document's address; one that has none of its own (srcdoc, about:blank, data:) speaks for the nearest ancestor
   * that has.
   */
  #documentOf(frame: FrameRecord | undefined): string | null {
    for (let at = frame; at !== undefined; at = at.parentId === null ? undefined : this.#targets.frame(at.parentId)) {
      if (/^(https?|blob):/.test(at.url)) return at.url;
    }
    return frame?.url ?? null;
  }

  #hopOf(paused: Paused): { readonly count: number; readonly before: string | null } {
    const before = paused.redirectedRequestId === undefined ? undefined : this.#hops.get(paused.redirectedRequestId);
    if (paused.redirectedRequestId !== undefined) this.#hops.delete(paused.redirectedRequestId);
    if (before !== undefined) return { count: before.count + 1, before: before.url };
    return { count: paused.redirectedRequestId === undefined ? 0 : 1, before: null };
  }
}

function isData({ resourceType }: Paused): boolean {
  return resourceType === "Fetch" || resourceType === "XHR";
}

/** Null for addresses without one: data: and blob: never leave. */
function hostOf(address: string): string | null {
  if (!/^https?:/i.test(address)) return null;
  try {
    return new URL(address).hostname.replace(/\.$/, "");
  } catch {
    return null;
  }
}
