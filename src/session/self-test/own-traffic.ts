import type { ProxyEvent } from "../../proxy/options.ts";
import { said } from "../../rules/index.ts";
import type { RequestFacts, Verdict } from "../../types.ts";
import type { Judge } from "../../wire/interception.ts";
import type { EgressOptions } from "../egress.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);

/** What may pass while the browser tests itself, and what came to the proxy meanwhile. */
export interface Trial {
  /** In every address of the test's own. */
  readonly token: string;
  /** Ports on loopback that the wire lets requests through to. */
  readonly allowed: ReadonlySet<number>;
  onRequest(address: string): void;
  onProxy(event: ProxyEvent): void;
}

/**
 * Keeps the test's own traffic from the session: while a trial runs, its judge answers in place of the guard, and
 * neither record nor events hear of it. Nothing else runs then. Afterwards its late requests are refused unheard.
 */
export class OwnTraffic {
  #trial: Trial | null = null;
  #token: string | null = null;

  begin(trial: Trial): void {
    this.#trial = trial;
    this.#token = trial.token;
  }

  end(): void {
    this.#trial = null;
  }

  isOwn(facts: RequestFacts): boolean {
    return this.#trial !== null || (this.#token !== null && facts.url.includes(this.#token));
  }

  judge(otherwise: Judge): Judge {
    return {
      request: (facts, onHold) => (this.isOwn(facts) ? this.#verdict(facts.url) : otherwise.request(facts, onHold)),
      released: (facts, sent) => {
        if (!this.isOwn(facts)) otherwise.released?.(facts, sent);
      },
    };
  }

  /** The address rule is out of the way for the test's ports, so that it cannot hide what is missing before it. */
  egress(options: Omit<EgressOptions, "now">): Omit<EgressOptions, "now"> {
    return {
      ...options,
      allowAddress: (address, host, port) =>
        (this.#trial !== null && LOOPBACK.has(address)) || options.allowAddress(address, host, port),
      onDecision: (event) => (this.#trial === null ? options.onDecision(event) : this.#trial.onProxy(event)),
    };
  }

  #verdict(address: string): Verdict {
    this.#trial?.onRequest(address);
    const url = URL.canParse(address) ? new URL(address) : null;
    if (
      this.#trial !== null &&
      url !== null &&
      SCHEMES.has(url.protocol) &&
      LOOPBACK.has(url.hostname) &&
      this.#trial.allowed.has(Number(url.port))
    )
      return { verdict: "allow", rule: "selftest.page" };
    return { verdict: "refuse", rule: "selftest.canary", ...said("selftest.canary", "plain"), site: null };
  }
}
