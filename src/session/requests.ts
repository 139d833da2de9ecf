import type { ProxyEvent } from "../proxy/proxy.ts";
import type { BrowserEvent, Refuse, TabId } from "../types.ts";
import type { RequestSeen } from "../wire/interception.ts";
import type { EventStream } from "./events.ts";

const REMEMBERED_RESPONSES = 1_000;

interface Refused {
  readonly mark: number;
  readonly page: string | null;
  readonly verdict: Refuse;
}

/** Every request as an event, its status added when it comes; refused navigations are remembered for the call that caused them. */
export class RequestLog {
  readonly #events: EventStream;
  readonly #redact: (url: string) => string;
  readonly #byNetworkId = new Map<string, { readonly seq: number; readonly event: Extract<BrowserEvent, { kind: "request" }> }>();
  #lastRefused: Refused | null = null;

  constructor(events: EventStream, redact: (url: string) => string) {
    this.#events = events;
    this.#redact = redact;
  }

  add(seen: RequestSeen, tab: TabId | null): void {
    const { facts, networkId, verdict } = seen;
    const event = {
      kind: "request",
      tab,
      method: facts.method,
      url: this.#redact(facts.url),
      resourceType: facts.resourceType,
      status: null,
      refused: verdict.verdict === "refuse" ? { rule: verdict.rule, reason: verdict.reason } : null,
      call: facts.cause.by === "call" ? facts.cause.call : null,
    } as const;
    const seq = this.#events.emit(event);
    if (verdict.verdict === "refuse") {
      if (facts.kind === "navigation") this.#lastRefused = { mark: seq, page: facts.from.page, verdict };
      return;
    }
    if (networkId === null) return;
    this.#byNetworkId.set(networkId, { seq, event });
    if (this.#byNetworkId.size > REMEMBERED_RESPONSES) {
      const oldest = this.#byNetworkId.keys().next().value;
      if (oldest !== undefined) this.#byNetworkId.delete(oldest);
    }
  }

  /** What the egress proxy refused: sockets, and what the browser tried by itself. */
  proxied(event: ProxyEvent): void {
    if (event.verdict !== "refused") return;
    const host = event.host.includes(":") ? `[${event.host}]` : event.host;
    this.#events.emit({
      kind: "request",
      tab: null,
      method: event.scheme === "connect" ? "CONNECT" : "GET",
      url: `${host}:${event.port}`,
      resourceType: "Connection",
      status: null,
      refused: { rule: event.rule, reason: "The egress proxy refused the connection." },
      call: null,
    });
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
}
