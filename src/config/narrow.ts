import type { Origin } from "../types.ts";

/** How the managed policy file bounds a key. What it says can only take away. */
export interface Narrowing<T> {
  /** For the docs. */
  readonly says: string;
  /** Whether the managed file's own value could take anything away; one that could not is an error in that file. */
  takesAway(bound: T): boolean;
  /** What is left of `current` within `bound`; `current` is undefined where nothing is set. */
  narrow(current: T | undefined, bound: T): T;
}

export const atMost: Narrowing<number> = {
  says: "the smaller number counts",
  takesAway: () => true,
  narrow: (current, bound) => Math.min(current ?? bound, bound),
};

/** For switches whose false is the weaker side. */
export const onlyTrue: Narrowing<boolean> = {
  says: "true cannot be switched off; false is an error",
  takesAway: (bound) => bound,
  narrow: (current, bound) => (current ?? true) || bound,
};

/** `localhost` stands for every loopback origin, so it contains those. */
export const originsWithin: Narrowing<readonly (Origin | "localhost")[]> = {
  says: "only what both lists name is left",
  takesAway: () => true,
  narrow: (current = [], bound) => {
    const wanted = current.filter((origin) => bound.some((other) => contains(other, origin)));
    const bounded = bound.filter((origin) => current.some((other) => contains(other, origin)));
    return [...new Set([...wanted, ...bounded])];
  },
};

function contains(wide: Origin | "localhost", narrow: Origin | "localhost"): boolean {
  return wide === narrow || (wide === "localhost" && narrow !== "localhost" && isLoopback(new URL(narrow).hostname));
}

// Canonical hosts only: URL has already folded the other spellings.
function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
