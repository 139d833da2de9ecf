import { containsEntry, parseSite } from "../gate/index.ts";
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

/** For switches whose true is the weaker side. */
export const onlyFalse: Narrowing<boolean> = {
  says: "false cannot be switched on; true is an error",
  takesAway: (bound) => !bound,
  narrow: (current, bound) => (current ?? true) && bound,
};

/** For choices listed from the strictest on. */
export function atStrictest<const Choices extends readonly string[]>(choices: Choices): Narrowing<Choices[number]> {
  return {
    says: `the stricter one counts: ${choices.join(", then ")}; ${choices.at(-1)} is an error`,
    takesAway: (bound) => bound !== choices.at(-1),
    narrow: (current, bound) =>
      current === undefined || choices.indexOf(bound) < choices.indexOf(current) ? bound : current,
  };
}

/** For lists that take away. */
export function added<Item extends string>(): Narrowing<readonly Item[]> {
  return {
    says: "its entries are added",
    takesAway: (bound) => bound.length > 0,
    narrow: (current = [], bound) => [...new Set([...current, ...bound])],
  };
}

/**
 * For lists of sites that open: an entry stays where one of the bound covers it. Where nothing was listed, nothing is.
 */
export const sitesWithin: Narrowing<readonly string[]> = {
  says: "only what both lists cover is left, nothing where the other names nothing",
  takesAway: () => true,
  narrow: (current = [], bound) => {
    const covered = (wide: readonly string[], narrow: readonly string[]): readonly string[] =>
      narrow.filter((entry) =>
        wide.some((other) => containsEntry(parseSite(other, "allow"), parseSite(entry, "allow"))),
      );
    return [...new Set([...covered(bound, current), ...covered(current, bound)])];
  },
};

/** For entries that must be the same in both. */
export const sameEntries: Narrowing<readonly string[]> = {
  says: "only what stands in both lists is left",
  takesAway: () => true,
  narrow: (current = [], bound) => current.filter((entry) => bound.includes(entry)),
};

/** The same for entries that are objects. */
export function sameValues<Item extends object>(): Narrowing<readonly Item[]> {
  return {
    says: "only what stands in both lists is left",
    takesAway: () => true,
    narrow: (current = [], bound) =>
      current.filter((entry) => bound.some((other) => JSON.stringify(other) === JSON.stringify(entry))),
  };
}

/** For lists of objects that take away. */
export function addedValues<Item extends object>(): Narrowing<readonly Item[]> {
  return {
    says: "its entries are added",
    takesAway: (bound) => bound.length > 0,
    narrow: (current = [], bound) => [...current, ...bound],
  };
}

export const samePairs: Narrowing<Readonly<Record<string, string>>> = {
  says: "only the pairs that both name are left",
  takesAway: () => true,
  narrow: (current = {}, bound) =>
    Object.fromEntries(
      Object.entries(current).filter(([name, place]) => Object.hasOwn(bound, name) && bound[name] === place),
    ),
};

/** Text that can only be taken out. */
export const onlyEmpty: Narrowing<string> = {
  says: "empty takes the text away; anything else is an error",
  takesAway: (bound) => bound === "",
  narrow: () => "",
};
