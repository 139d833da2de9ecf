/**
 * The shape of the literals in this room. Lowest floor: it knows no other room, so every room may take its ids and
 * words from here.
 */

/** An answer that lets something happen. */
export type Offer = "once" | "form" | "task";

export type Decision =
  /** It may go. */
  | "pass"
  /** A person is asked; where nobody can be, it is refused. */
  | "ask"
  | "refuse"
  /** Refused, and the page is answered as if it had gone. */
  | "quiet";

/**
 * What a refusal says. `{holes}` are filled in by the code that refuses: only with fixed words, canonical addresses and
 * numbers.
 */
export interface RuleWords {
  /** For the model: why. */
  readonly reason: string;
  /** For the model: what to do instead. */
  readonly remedy: string;
  /** For the operator: the option or configuration line that would allow it; null where none would. */
  readonly operator: string | null;
}

/** One rule that a user can meet: all that is said of it, and what follows from it. */
export interface Rule {
  /** `room.rule` */
  readonly id: `${string}.${string}`;
  /** What it says, in one sentence without its full stop. */
  readonly says: string;
  /** What it can decide. */
  readonly decides: readonly [Decision, ...Decision[]];
  /**
   * Neither the profile observe nor the library's rule lifts its refusal. Rules that only let pass are hard, too: a
   * refusal in their name is a fault.
   */
  readonly hard: boolean;
  /** What may be answered beside no, with its meaning in a few words. Empty: nobody is asked. */
  readonly offers: Readonly<Partial<Record<Offer, string>>>;
  /** By the case. Empty for what never refuses. */
  readonly words: Readonly<Record<string, RuleWords>>;
}

/** What a rule of effects can be about. */
export type EffectSubject =
  /** Any method but GET, HEAD and OPTIONS. */
  | "unsafe"
  /** An address that does something when it is asked for. */
  | "address"
  | "socket";

export interface EffectRule extends Rule {
  readonly of: readonly EffectSubject[];
}

/** One case of a rule of reach: for readers, and for the test that holds the rule to it. */
export interface ReachExample {
  readonly what: string;
  readonly settings: ExampleSettings;
  readonly facts: ExampleFacts & { readonly url: string };
  readonly verdict: "allow" | "refuse";
}

/** As in a configuration (`ReachSettings`). */
export interface ExampleSettings {
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
  readonly private?: readonly string[];
  readonly helpers?: readonly string[];
  readonly task?: string;
  readonly reading?: "open";
  readonly reach?: readonly ("navigation" | "subresource")[];
  readonly includeSubdomains?: boolean;
}

/** What differs from an address that the agent wrote (`ReachFacts`). */
export interface ExampleFacts {
  readonly kind?: "navigation" | "subframe" | "data" | "subresource" | "worker" | "socket" | "unknown";
  readonly method?: string;
  readonly requester?: string;
  readonly mainUrl?: string;
  readonly hop?: number;
  readonly redirectedFrom?: string;
  readonly by?: "page";
  readonly agentChose?: boolean;
  readonly serviceWorker?: boolean;
  readonly credentials?: boolean;
  readonly namedByDocument?: boolean;
  readonly shown?: "frame";
}

export interface ReachRule extends Rule {
  /** In both directions where it has two. */
  readonly examples: readonly ReachExample[];
}
