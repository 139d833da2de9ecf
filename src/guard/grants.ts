import type { EffectEntry, PrivateEntry, ReachPolicy, SiteEntry } from "../gate/index.ts";

export type GrantSource = "config" | "task" | "answer" | "firstUse";

/** What a grant lets happen. */
export type Permits =
  /** A site comes into scope. */
  | { readonly kind: "reach"; readonly entry: SiteEntry }
  /** A place on this machine is opened. */
  | { readonly kind: "private"; readonly entry: PrivateEntry }
  /** Any other public site may be read. */
  | { readonly kind: "anySite" }
  /** Requests that the operator's entry describes. */
  | { readonly kind: "effect"; readonly entry: EffectEntry }
  /** That very request, from that document: its page gave up while somebody was asked. */
  | { readonly kind: "request"; readonly same: string; readonly document: string | null }
  /** That form again, and forms of the document that its answer loads. */
  | { readonly kind: "form"; readonly operation: string; readonly place: string }
  /** That operation from that document, until it is left: a page where each save is the change. */
  | { readonly kind: "edits"; readonly operation: string; readonly document: string }
  /** That operation, whatever its values; with no slot beside those that were shown. */
  | { readonly kind: "sort"; readonly operation: string; readonly slots: readonly string[] };

/** One yes of any kind, with what it permits, how often and until when. */
export interface Grant {
  readonly id: string;
  readonly source: GrantSource;
  readonly permits: Permits;
  /** Uses left; null: any number. */
  readonly left: number | null;
  /** Milliseconds since 1970; null: the session's end. */
  readonly until: number | null;
}

/** What is granted, and how far. */
export interface NewGrant {
  readonly source: GrantSource;
  readonly permits: Permits;
  readonly left?: number | null;
  readonly until?: number | null;
}

/** All that a session was granted. A first use takes the place of the one before: there is at most one. */
export class Grants {
  readonly #base: ReachPolicy;
  readonly #grants = new Map<string, Grant>();
  #count = 0;
  #policy: ReachPolicy;

  constructor(base: ReachPolicy, effects: readonly EffectEntry[]) {
    this.#base = base;
    this.#policy = base;
    for (const entry of base.scope) this.#put({ source: "config", permits: { kind: "reach", entry } });
    for (const entry of effects)
      this.#put({ source: "config", permits: { kind: "effect", entry }, left: entry.max ?? null });
  }

  /** The reach policy with all that is granted. */
  get policy(): ReachPolicy {
    return this.#policy;
  }

  all(): readonly Grant[] {
    return [...this.#grants.values()];
  }

  /** The policy as it would be with this site granted. */
  with(entry: SiteEntry): ReachPolicy {
    const others = this.all().filter((grant) => grant.source !== "firstUse");
    const policy = this.#policyOf(others, this.#policy.scopeGiven);
    return { ...policy, scope: [...policy.scope, entry] };
  }

  add(grant: NewGrant): Grant {
    if (grant.source === "firstUse")
      for (const before of this.all()) if (before.source === "firstUse") this.#grants.delete(before.id);
    const added = this.#put(grant);
    // A site that the operator named later is a scope that was given.
    this.#policy = this.#policyOf(
      this.all(),
      this.#policy.scopeGiven || (grant.source === "task" && grant.permits.kind === "reach"),
    );
    return added;
  }

  /** The first that fits and still holds. */
  find(fits: (permits: Permits) => boolean, now: number): Grant | null {
    return this.all().find((grant) => holds(grant, now) && fits(grant.permits)) ?? null;
  }

  /** Takes one use of it. False when there is none left: then nothing may happen on its strength. */
  consume(id: string, now: number): boolean {
    const grant = this.#grants.get(id);
    if (grant === undefined || !holds(grant, now)) return false;
    if (grant.left !== null) this.#grants.set(id, { ...grant, left: grant.left - 1 });
    return true;
  }

  #policyOf(grants: readonly Grant[], scopeGiven: boolean): ReachPolicy {
    const entries = grants.flatMap(({ permits }) => (permits.kind === "reach" ? [permits.entry] : []));
    const opened = grants.flatMap(({ permits }) => (permits.kind === "private" ? [permits.entry] : []));
    const isOpen = grants.some(({ permits }) => permits.kind === "anySite");
    return {
      ...this.#base,
      scopeGiven,
      scope: entries,
      private: [...this.#base.private, ...opened],
      ...(isOpen && { reading: "open" }),
    };
  }

  #put({ source, permits, left = null, until = null }: NewGrant): Grant {
    const grant: Grant = { id: `g${++this.#count}`, source, permits, left, until };
    this.#grants.set(grant.id, grant);
    return grant;
  }
}

function holds(grant: Grant, now: number): boolean {
  return (grant.left === null || grant.left > 0) && (grant.until === null || now < grant.until);
}
