import { LRUCache } from "lru-cache";
import { type Place, placeOf } from "../proxy/place.ts";
import type { ProxyEvent } from "../proxy/proxy.ts";
import { said } from "../rules/index.ts";
import type { BrowserEvent, CallId, Refuse, RuleId, TabId } from "../types.ts";
import type { RequestSeen } from "../wire/interception.ts";
import type { EventStream } from "./events.ts";
import { unreachable } from "./unreachable.ts";

const REMEMBERED_RESPONSES = 1_000;
const REMEMBERED_SOCKETS = 1_000;
/** Calls whose requests were refused. */
const REMEMBERED_EFFECTS = 100;

interface Refused {
  readonly mark: number;
  readonly page: string | null;
  readonly verdict: Refuse;
}

/**
 * Every request as an event, its status added when it comes; refused navigations are remembered for the call that
 * caused them.
 */
export class RequestLog {
  readonly #events: EventStream;
  readonly #redact: (url: string) => string;
  readonly #byNetworkId = new LRUCache<
    string,
    { readonly seq: number; readonly event: Extract<BrowserEvent, { kind: "request" }> }
  >({ max: REMEMBERED_RESPONSES });
  #lastRefused: Refused | null = null;
  /** What an input of the agent's would have changed. */
  readonly #effects = new LRUCache<CallId, Refuse>({ max: REMEMBERED_EFFECTS });
  /** Hosts with their ports that sockets were told to. */
  readonly #sockets = new LRUCache<string, true>({ max: REMEMBERED_SOCKETS });
  /** What was let go last: its connection may still come to nothing. */
  #lastNavigation: { readonly page: string | null; readonly place: Place | null } | null = null;

  constructor(events: EventStream, redact: (url: string) => string) {
    this.#events = events;
    this.#redact = redact;
  }

  add(seen: RequestSeen, tab: TabId | null): void {
    const { facts, networkId, verdict } = seen;
    const socket = facts.kind === "socket" ? placeOf(facts.url) : null;
    if (socket !== null) this.#sockets.set(keyOf(socket), true);
    const event = {
      kind: "request",
      tab,
      method: facts.method,
      url: this.#redact(facts.url),
      resourceType: facts.resourceType,
      status: null,
      refused: verdict.verdict === "refuse" ? refusedBy(verdict) : null,
      call: facts.cause.by === "call" ? facts.cause.call : null,
    } as const;
    const seq = this.#events.emit(event);
    if (verdict.verdict === "refuse") {
      const call = facts.input ?? (facts.cause.by === "call" && facts.kind === "navigation" ? facts.cause.call : null);
      // A form that was to be sent in another window is what the input was for, whatever rule keeps it back.
      const isForm = facts.kind === "navigation" && facts.method !== "GET";
      if (
        (isForm || verdict.rule.startsWith("effects.")) &&
        verdict.quiet !== true &&
        verdict.aside !== true &&
        facts.isLater !== true &&
        call !== null
      )
        this.#effects.set(call, verdict);
      if (facts.kind === "navigation") this.#lastRefused = { mark: seq, page: facts.from.page, verdict };
      return;
    }
    if (facts.kind === "navigation") this.#lastNavigation = { page: facts.from.page, place: placeOf(facts.url) };
    if (networkId === null) return;
    this.#byNetworkId.set(networkId, { seq, event });
  }

  /**
   * What the egress proxy refused, where it is a page's and was not told yet; and what the operator's own proxy did not
   * connect.
   */
  proxied(event: ProxyEvent): void {
    const isUpstream = event.verdict === "failed" && event.rule === "proxy.upstream";
    if ((event.verdict !== "refused" && !isUpstream) || !this.#isNewOfPage(event)) return;
    const verdict = isUpstream
      ? unreachable(event.rule)
      : { rule: event.rule, reason: said(event.rule, "plain").reason };
    const host = event.host.includes(":") ? `[${event.host}]` : event.host;
    const refused = { rule: verdict.rule, reason: verdict.reason };
    const mark = this.#events.emit({
      kind: "request",
      tab: null,
      method: event.scheme === "connect" ? "CONNECT" : "GET",
      url: `${host}:${event.port}`,
      resourceType: "Connection",
      status: null,
      refused,
      call: null,
    });
    const to = this.#lastNavigation;
    if ("verdict" in verdict && to?.place?.host === event.host && to.place.port === event.port)
      this.#lastRefused = { mark, page: to.page, verdict };
  }

  status(networkId: string, status: number): void {
    const known = this.#byNetworkId.get(networkId);
    if (known === undefined) return;
    this.#byNetworkId.delete(networkId);
    this.#events.amend(known.seq, { ...known.event, status });
  }

  /** Why the last main-frame navigation of that page since `mark` was refused; null when none was. */
  refusedNavigation(mark: number, page: string | null): Refuse | null {
    const last = this.#lastRefused;
    return last !== null && last.mark > mark && last.page === page ? last.verdict : null;
  }

  /** Why something that followed from the input of one of these calls was not sent; null when nothing was kept back. */
  refusedEffect(calls: readonly CallId[]): Refuse | null {
    for (const call of calls) {
      const refused = this.#effects.get(call);
      if (refused !== undefined) return refused;
    }
    return null;
  }

  /**
   * A page's request is judged and told before it comes to the door for requests: what finds no way there is the
   * browser's own. At the other door are sockets only; those that the wire does not hear of, as a shared worker's, are
   * told here. Nothing that a page asks for has no place: that was a stranger.
   */
  #isNewOfPage({ door, rule, host, port }: ProxyEvent): boolean {
    if (host === "") return false;
    return rule !== "proxy.way" || (door === "sockets" && !this.#sockets.has(keyOf({ host, port })));
  }
}

function refusedBy({ rule, reason, operator }: Refuse): {
  readonly rule: RuleId;
  readonly reason: string;
  readonly operator?: string;
} {
  return { rule, reason, ...(operator !== null && { operator }) };
}

function keyOf({ host, port }: Place): string {
  return `${host} ${port}`;
}
