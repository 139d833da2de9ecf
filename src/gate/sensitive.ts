import { isAddressLiteral } from "./addresses.ts";
import { coversHost, type SiteEntry } from "./entry.ts";
import { toUnicodeHost } from "./punycode.ts";
import {
  SENSITIVE_CLASSES,
  SENSITIVE_PARTS,
  SENSITIVE_SITES,
  SENSITIVE_WORDS,
  type SensitiveClass,
} from "./sensitive-sites.ts";
import { hostMatches } from "./sites.ts";

export interface Sensitive {
  readonly kind: SensitiveClass;
  /**
   * `list`: our list or the operator's. `word`: only a word in its name says so, which an operator who names the site
   * overrules for its subdomains.
   */
  readonly by: "list" | "word";
  /** The listed host, or the host itself. */
  readonly host: string;
}

const LISTED: readonly { readonly kind: SensitiveClass; readonly host: string }[] = SENSITIVE_CLASSES.flatMap((kind) =>
  SENSITIVE_SITES[kind].map((host) => ({ kind, host })),
);
const LISTED_HOSTS: ReadonlyMap<string, SensitiveClass> = new Map(LISTED.map(({ kind, host }) => [host, kind]));
const WORDS: ReadonlyMap<string, SensitiveClass> = new Map(
  SENSITIVE_CLASSES.flatMap((kind) => SENSITIVE_WORDS[kind].map((word) => [word, kind] as const)),
);
const PARTS: readonly (readonly [string, SensitiveClass])[] = SENSITIVE_CLASSES.flatMap((kind) =>
  SENSITIVE_PARTS[kind].map((part) => [part, kind] as const),
);

/** The hosts of the list, for the search of look-alikes. */
export const listedHosts: readonly string[] = LISTED.map(({ host }) => host);

/**
 * Why a canonical host needs the operator's explicit word; null when nothing is known. `remove` covers subdomains and
 * wins over all but `add`. (OS-9)
 */
export function sensitive(host: string, add: readonly SiteEntry[], remove: readonly SiteEntry[]): Sensitive | null {
  const added = add.find((entry) => coversHost(entry, host));
  if (added !== undefined) return { kind: "account", by: "list", host: added.host };
  if (isAddressLiteral(host) || remove.some((entry) => coversHost(entry, host))) return null;
  for (let at = host; at !== ""; at = at.includes(".") ? at.slice(at.indexOf(".") + 1) : "") {
    const kind = LISTED_HOSTS.get(at);
    if (kind !== undefined) return { kind, by: "list", host: at };
  }
  const kind = kindByWord(host);
  return kind === null ? null : { kind, by: "word", host };
}

/** Whether an operator's entry names the sensitive host, and does not only happen to cover it. */
export function namesIt(entry: SiteEntry, found: Sensitive): boolean {
  return found.by === "word" || hostMatches(found.host, entry.host);
}

function kindByWord(host: string): SensitiveClass | null {
  const labels = toUnicodeHost(host).split(".");
  // The last label belongs to a registry.
  for (const label of labels.length > 1 ? labels.slice(0, -1) : labels) {
    for (const part of label.split(/[-_]/)) {
      const kind = WORDS.get(part) ?? WORDS.get(part.replace(/\d+$/, ""));
      if (kind !== undefined) return kind;
    }
    const found = PARTS.find(([part]) => label.includes(part));
    if (found !== undefined) return found[1];
  }
  return null;
}
