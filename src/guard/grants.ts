import type { ReachPolicy, SiteEntry } from "../gate/index.ts";

/** One yes of any kind, with what it permits, how often and until when. */
export interface Grant {
  readonly id: string;
  readonly source: "config" | "task" | "answer" | "firstUse";
  readonly permits: { readonly kind: "reach"; readonly entry: SiteEntry };
  /** Uses left; null: any number. */
  readonly left: number | null;
  /** Milliseconds since 1970; null: the session's end. */
  readonly until: number | null;
}

/** All that a session was granted. A first use takes the place of the one before: there is at most one. */
export class Grants {
  readonly #base: ReachPolicy;
  readonly #grants: Grant[];
  #count = 0;
  #policy: ReachPolicy;

  constructor(base: ReachPolicy) {
    this.#base = base;
    this.#grants = base.scope.map((entry) => this.#grant("config", entry));
    this.#policy = base;
  }

  /** The policy with all that is granted. */
  get policy(): ReachPolicy {
    return this.#policy;
  }

  all(): readonly Grant[] {
    return [...this.#grants];
  }

  /** The policy as it would be with this site granted. */
  with(entry: SiteEntry): ReachPolicy {
    return { ...this.#base, scope: [...this.#entries().filter((other) => other !== this.#firstUse()?.permits.entry), entry] };
  }

  add(source: "task" | "answer" | "firstUse", entry: SiteEntry): Grant {
    const before = source === "firstUse" ? this.#firstUse() : undefined;
    if (before !== undefined) this.#grants.splice(this.#grants.indexOf(before), 1);
    const grant = this.#grant(source, entry);
    this.#grants.push(grant);
    // A site that the operator named later is a scope that was given.
    const isGiven = this.#policy.scopeGiven || source === "task";
    this.#policy = { ...this.#base, scopeGiven: isGiven, scope: this.#entries() };
    return grant;
  }

  #firstUse(): Grant | undefined {
    return this.#grants.find((grant) => grant.source === "firstUse");
  }

  #entries(): readonly SiteEntry[] {
    return this.#grants.map((grant) => grant.permits.entry);
  }

  #grant(source: Grant["source"], entry: SiteEntry): Grant {
    return { id: `g${++this.#count}`, source, permits: { kind: "reach", entry }, left: null, until: null };
  }
}
