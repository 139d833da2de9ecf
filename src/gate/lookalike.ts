import { getDomain } from "tldts";
import { isAddressLiteral } from "./addresses.ts";
import { toUnicodeHost } from "./punycode.ts";

/** Shorter names differ by one letter from too many honest ones. */
const FEWEST_LETTERS_NAMED = 4;
const FEWEST_LETTERS_LISTED = 7;

/**
 * Letters that look like an ASCII letter in a browser's font: the ones that host names are forged with (UTS 39, by
 * hand).
 */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аαɑạаӑ",
    b: "ЬƅьᏏ",
    c: "сϲⅽ",
    d: "ԁɗⅾ",
    e: "еєҽε",
    f: "ƒſ",
    g: "ɡցԍ",
    h: "һհ",
    i: "іɩιıі",
    j: "јϳ",
    k: "кκ",
    l: "ӏⅼłιǀ1|",
    m: "мⅿ",
    n: "ոηпո",
    o: "оοօσøо0",
    p: "рρр",
    q: "ԛզ",
    r: "гꭇ",
    s: "ѕꜱ5",
    t: "тτ",
    u: "υսц",
    v: "νѵⅴ",
    w: "ԝшωѡ",
    x: "хχⅹ",
    y: "уγүу",
    z: "ᴢʐ",
  }).flatMap(([plain, alike]) => [...alike].map((letter) => [letter, plain] as const)),
);
const PAIRS: readonly (readonly [string, string])[] = [
  ["rn", "m"],
  ["vv", "w"],
];

const SCRIPTS = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Hebrew",
  "Arabic",
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Thai",
  "Devanagari",
  "Cherokee",
  "Georgian",
] as const;
const SCRIPT_SHAPES = SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const);
/** Scripts that honest names of one language mix. */
const MIXED_HONESTLY: readonly ReadonlySet<string>[] = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Hangul"]),
];

/** A host as the eye takes it: lower case, no accents, letters of other scripts as the Latin ones they resemble. */
export function skeleton(host: string): string {
  const plain = [...toUnicodeHost(host).normalize("NFKD").toLowerCase()]
    .filter((char) => !/\p{M}/u.test(char))
    .map((char) => LOOKS_LIKE.get(char) ?? char);
  return PAIRS.reduce((text, [pair, letter]) => text.replaceAll(pair, letter), plain.join(""));
}

/** Whether one label mixes scripts that no language mixes. */
export function isMixedScript(host: string): boolean {
  return toUnicodeHost(host)
    .split(".")
    .some((label) => {
      const used = SCRIPT_SHAPES.filter(([, shape]) => shape.test(label)).map(([name]) => name);
      return used.length > 1 && !MIXED_HONESTLY.some((group) => used.every((script) => group.has(script)));
    });
}

/** A name that another may imitate. */
export interface KnownName {
  readonly domain: string;
  readonly skeleton: string;
}

/** The registrable domains of these hosts, each once; addresses have none. */
export function knownNames(hosts: readonly string[]): readonly KnownName[] {
  const domains = new Set(hosts.filter((host) => !isAddressLiteral(host)).map(domainOf));
  return [...domains].map((domain) => ({ domain, skeleton: skeleton(domain) }));
}

/**
 * The domain that a host imitates: `named` are those of the task and its scope, `listed` those of the sensitive list.
 * Null when it imitates none, is one of them, or lies under one. (OS-8)
 */
export function imitated(host: string, named: readonly KnownName[], listed: readonly KnownName[]): string | null {
  if (isAddressLiteral(host)) return null;
  const domain = domainOf(host);
  if (named.some((known) => known.domain === domain) || listed.some((known) => known.domain === domain)) return null;
  const seen = skeleton(domain);
  // shop.test.evil.test begins with the name of another.
  const lead = `.${host.slice(0, host.length - domain.length)}`;
  const imitates = (known: KnownName, fewestLetters: number): boolean =>
    seen === known.skeleton ||
    lead.includes(`.${known.domain}.`) ||
    (labelOf(known.domain).length >= fewestLetters && isOneSlip(domain, known.domain));
  const found =
    named.find((known) => imitates(known, FEWEST_LETTERS_NAMED)) ??
    listed.find((known) => imitates(known, FEWEST_LETTERS_LISTED));
  return found?.domain ?? null;
}

function domainOf(host: string): string {
  return (
    getDomain(host, { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false }) ??
    host
  );
}

function labelOf(domain: string): string {
  return domain.split(".", 1)[0] ?? domain;
}

/** One letter more, less or other, or two neighbours swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
