import type { Allow, Cause, Refuse, RequestFacts, RequestKind, RuleId, Site, Verdict } from "../types.ts";
import { classifyHost, isAddressLiteral } from "./addresses.ts";
import { blocks, covers, coversHost, entryText, isWebPort, type SiteEntry, schemeOf } from "./entry.ts";
import { imitated, isMixedScript, type KnownName, knownNames } from "./lookalike.ts";
import type { ReachKind, ReachPolicy } from "./policy.ts";
import { isOpened, isOpenedAddress } from "./private.ts";
import { listedHosts, namesIt, sensitive } from "./sensitive.ts";
import { type CanonicalUrl, canonicalUrl, portOf, sameSite } from "./sites.ts";
import { allow, refuse } from "./verdict.ts";

/** What is known of one request, or of one that a call would cause. */
export interface ReachFacts {
  readonly url: string;
  readonly kind: RequestKind;
  readonly method: string;
  /** Address of the document that asks (`requesterOf`); null when it is not known. */
  readonly requester: string | null;
  /** Address of the top document of that tab. */
  readonly mainUrl: string | null;
  /** 0 for a first request, n for its n-th redirect hop. */
  readonly hop: number;
  readonly redirectedFrom: string | null;
  readonly by: Cause["by"];
  /** True when the agent's call named exactly this address, or acted in a place that the operator opened. */
  readonly agentChose: boolean;
  /** The request carries a cookie or another credential. */
  readonly credentials: boolean;
  /** Whether the top document's HTML, as it came, names this host; null where nobody looked. */
  readonly namedByDocument: boolean | null;
  /** A document of this host came over https in this session. */
  readonly wasSecure: boolean;
  /** Not a request: a document that is there, and what of the tab it is. */
  readonly shown: "main" | "frame" | null;
}

/** Facts of a navigation about which nothing else is known. */
export const PLAIN_FACTS: Omit<ReachFacts, "url"> = {
  kind: "navigation",
  method: "GET",
  requester: null,
  mainUrl: null,
  hop: 0,
  redirectedFrom: null,
  by: "call",
  agentChose: true,
  credentials: false,
  namedByDocument: null,
  wasSecure: false,
  shown: null,
};

/** What a rule is asked with: the place is parsed once. */
interface Asked {
  readonly policy: ReachPolicy;
  readonly facts: ReachFacts;
  readonly place: CanonicalUrl;
}

/** One rule of reach: decides, or leaves it to the next (null). */
type Rule = (asked: Asked) => Verdict | null;

/** In this order; the first that decides counts. What nobody decides is refused. */
const RULES: readonly (readonly [name: string, rule: Rule])[] = [
  ["scheme", byScheme],
  ["userinfo", byUserInfo],
  ["address", byAddress],
  ["block", byBlock],
  ["private", byPrivate],
  ["redirect", byRedirect],
  ["port", byPort],
  ["scope", byScope],
  ["helper", byHelper],
  ["lookalike", byLookalike],
  ["sensitive", bySensitive],
  ["own", byOwn],
  ["asset", byAsset],
  ["frame", byFrame],
  ["data", byData],
  ["reading", byReading],
];

/** Once: there are hundreds. */
const listed = knownNames(listedHosts);

/** Once for each policy: skeletons are costly, and every request asks. */
const namesOfPolicies = new WeakMap<ReachPolicy, readonly KnownName[]>();

function namedIn(policy: ReachPolicy): readonly KnownName[] {
  const known = namesOfPolicies.get(policy) ?? knownNames([...policy.scope, ...policy.helpers].map((entry) => entry.host));
  namesOfPolicies.set(policy, known);
  return known;
}

/** Refusals that a widening rule of the operator, or the profile observe, cannot lift: addresses, schemes, the block list, methods sent across sites. */
const HARD: ReadonlySet<RuleId> = new Set([
  "reach.address",
  "reach.scheme",
  "reach.userinfo",
  "reach.metadata",
  "reach.private",
  "reach.block",
  "reach.redirect",
]);

export function isHard(verdict: Verdict): boolean {
  return !verdict.rule.startsWith("reach.") || HARD.has(verdict.rule);
}

/** Decides where one request, or one redirect hop of it, may go. The rules are listed in `reachRules`. */
export function reach(policy: ReachPolicy, facts: ReachFacts): Verdict {
  return reachSteps(policy, facts).verdict;
}

export interface ReachSteps {
  readonly verdict: Verdict;
  /** The rules that were asked and left it to the next, in their order. */
  readonly passed: readonly string[];
}

/** The same with the way to it, for `chaperone explain`. */
export function reachSteps(policy: ReachPolicy, facts: ReachFacts): ReachSteps {
  const place = canonicalUrl(facts.url);
  const passed: string[] = [];
  if (!place.ok) return { passed, verdict: notAnAddress("This is not an address that can be opened.") };
  for (const [name, rule] of RULES) {
    const verdict = rule({ policy, facts, place });
    if (verdict !== null) return { verdict, passed };
    passed.push(name);
  }
  return { passed, verdict: outOfScope(policy, place, "undecided") };
}

/** Whether a committed document may be shown to the model. Frames may also be made by their page (about:srcdoc). */
export function reachShown(policy: ReachPolicy, url: string, place: "main" | "frame"): Verdict {
  const parsed = canonicalUrl(url);
  if (place === "frame" && parsed.ok && isAbout(parsed, "srcdoc")) return allow("reach.scheme");
  return reach(policy, { ...PLAIN_FACTS, url, shown: place });
}

/**
 * Who asks, by what the browser says of it: the document, else the headers that scripts cannot write. A document without an address of its own
 * (about:, data:) may have been made by any page of the tab, so the top document is no answer for it.
 */
export function requesterOf(facts: Pick<RequestFacts, "headers" | "from">): string | null {
  for (const candidate of [facts.from.documentUrl, header(facts.headers, "origin"), header(facts.headers, "referer")]) {
    if (candidate === null) continue;
    const parsed = canonicalUrl(candidate);
    if (!parsed.ok) continue;
    if (parsed.origin !== null) return parsed.url.href;
    if (parsed.url.protocol === "blob:" && parsed.url.origin !== "null") return parsed.url.origin;
  }
  return null;
}

/** Whether the request shows a credential. Cookies stand in what the wire holds; a header of that name, too, when it is empty. */
export function hasCredentials(headers: Readonly<Record<string, string>>): boolean {
  return ["cookie", "authorization", "proxy-authorization"].some((name) => header(headers, name) !== null);
}

/** The address without its fragment, for comparison; null when it does not parse. */
export function withoutFragment(url: string): string | null {
  const parsed = canonicalUrl(url);
  if (!parsed.ok) return null;
  parsed.url.hash = "";
  return parsed.url.href;
}

/** Which word of the option `reach` binds a kind. What is not known counts as navigation and data at once, and is always bound. */
export function reachKindOf(kind: RequestKind): ReachKind | "unknown" {
  switch (kind) {
    case "navigation":
    case "subframe":
    case "subresource":
      return kind;
    case "data":
    case "worker":
    case "prefetch":
    case "socket":
      return "data";
    case "unknown":
      return "unknown";
    default:
      kind satisfies never;
      return "unknown";
  }
}

function byScheme({ facts, place }: Asked): Verdict | null {
  switch (place.url.protocol) {
    case "http:":
    case "https:":
      return null;
    case "ws:":
    case "wss:":
      if (facts.kind === "socket") return null;
      break;
    case "about:":
      if (isAbout(place, "blank")) return allow("reach.scheme");
      break;
    case "data:":
    case "blob:":
      // Bytes that the page already has: nothing leaves. As a document they are refused.
      if (facts.kind === "subresource" || facts.kind === "data" || facts.kind === "worker") return allow("reach.scheme");
      break;
  }
  return refuse("reach.scheme", { reason: "Only http and https addresses are opened.", remedy: "Use an http or https address.", operator: null, site: null });
}

function byUserInfo({ place }: Asked): Verdict | null {
  if (place.url.username === "" && place.url.password === "") return null;
  return refuse("reach.userinfo", {
    reason: "The address has a user name or password in front of the host.",
    remedy: "Leave out the part before the @, after checking which host follows it.",
    operator: null,
    site: place.site,
  });
}

function byAddress({ place }: Asked): Verdict | null {
  const found = classifyHost(place.host);
  if (found.is === "unparsable") return notAnAddress("The host is not an address that can be judged.");
  if (found.is !== "metadata") return null;
  return refuse("reach.metadata", {
    reason: "This is the metadata service of a cloud machine.",
    remedy: "Go on without it; it is never opened.",
    operator: null,
    site: place.site,
  });
}

function byBlock({ policy, place }: Asked): Verdict | null {
  const entry = policy.block.find((candidate) => blocks(candidate, place));
  if (entry === undefined) return null;
  return refuse("reach.block", {
    reason: "The operator blocks this place.",
    remedy: "Go on without it.",
    operator: `take ${entryText(entry)} out of block`,
    site: place.site,
  });
}

/** EG-4. A name that the operator opened as private is guarded against public pages like an address. */
function byPrivate({ policy, facts, place }: Asked): Verdict | null {
  if (isOpened(policy.private, place)) return judgeOpened(policy, facts, place);
  if (policy.mapped.has(place.host)) return null;
  return classifyHost(place.host).is === "private" ? closed(place) : null;
}

/** OS-10: what changes something is not sent on to another site. */
function byRedirect({ facts, place }: Asked): Verdict | null {
  if (facts.hop === 0 || isSafe(facts.method)) return null;
  const before = facts.redirectedFrom === null ? null : canonicalUrl(facts.redirectedFrom);
  if (before?.ok === true && sameSite(before.site, place.site)) return null;
  return refuse("reach.redirect", {
    reason: "A request that changes something was sent on to another site.",
    remedy: "Go to that site by its own pages if the task needs it.",
    operator: null,
    site: place.site,
  });
}

/** EG-5. */
function byPort({ policy, place }: Asked): Verdict | null {
  const port = portOf(place.url);
  if (isWebPort(port) || policy.mapped.has(place.host)) return null;
  if ([...policy.scope, ...policy.helpers].some((entry) => entry.port === port && covers(entry, place))) return null;
  return refuse("reach.port", {
    reason: "Only the ports 80 and 443 are open, and those that the operator named.",
    remedy: "Use the site's ordinary address, or tell the operator that this port is needed.",
    operator: `${allowOption(place)}:${port}`,
    site: place.site,
  });
}

/** In scope, unless the step there gives up https, or the entry only happens to cover a place that must be named itself. */
function byScope(asked: Asked): Verdict | null {
  const { policy, facts, place } = asked;
  const entries = policy.scope.filter((entry) => inScope(policy, entry, place));
  if (entries.length === 0) return null;
  const found = sensitive(place.host, policy.sensitive.add, policy.sensitive.remove);
  if (found !== null && !entries.some((entry) => namesIt(entry, found))) return isChoice(policy, facts) ? mustBeNamed(found.host, place) : null;
  return downgraded(asked, entries) ?? allow("reach.scope");
}

/** OS-6: places for signing in and paying, for pages in scope and never for the agent's own addresses. */
function byHelper({ policy, facts, place }: Asked): Verdict | null {
  if (!policy.helpers.some((entry) => inScope(policy, entry, place))) return null;
  if (facts.shown === "main") return allow("reach.helper");
  if (facts.shown === "frame") return refuse("reach.helper", { ...HELPER_WORDS, operator: allowOption(place), site: place.site });
  const asks = [facts.requester, facts.mainUrl, facts.redirectedFrom].some((address) => address !== null && isInReach(policy, address));
  return asks && !facts.agentChose ? allow("reach.helper") : refuse("reach.helper", { ...HELPER_WORDS, operator: allowOption(place), site: place.site });
}

const HELPER_WORDS = {
  reason: "This place is there for the pages in scope to sign in and pay, not for the agent.",
  remedy: "Let the page in scope lead there.",
} as const;

/** OS-8. Pictures and frames are no place that somebody takes for another. */
function byLookalike({ policy, facts, place }: Asked): Verdict | null {
  if (!isChoice(policy, facts)) return null;
  const named = namedIn(policy);
  const real = imitated(place.host, named, listed);
  if (real === null && !isMixedScript(place.host)) return null;
  return refuse("reach.lookalike", {
    reason: real === null ? "The host mixes letters of several scripts, as forged names do." : `The host looks like ${real} and is another one.`,
    remedy: real === null ? "Check the address with the operator." : `Use ${real} itself, or check the address with the operator.`,
    operator: allowOption(place),
    site: place.site,
  });
}

/** OS-9. */
function bySensitive({ policy, facts, place }: Asked): Verdict | null {
  const found = sensitive(place.host, policy.sensitive.add, policy.sensitive.remove);
  if (found === null) return null;
  // A frame is not shown; a picture is one, unless a person's account pays for it.
  if (!isChoice(policy, facts) && !(facts.kind === "subresource" && facts.credentials && !sameMain(policy, facts, place))) return null;
  return mustBeNamed(found.host, place);
}

/** A page and the other hosts of its own site (OS-2), where the page itself may be there. */
function byOwn({ policy, facts, place }: Asked): Verdict | null {
  if (facts.shown !== null || facts.kind === "navigation" || facts.kind === "socket") return null;
  return sameMain(policy, facts, place) ? allow("reach.own") : null;
}

/** OS-7: pictures, styles, scripts and fonts. */
function byAsset({ policy, facts, place }: Asked): Verdict | null {
  if (facts.kind !== "subresource") return null;
  const isClosed = policy.assets === "closed" || policy.kinds.has("subresource");
  if (!isClosed && isSafe(facts.method) && (policy.assets === "open" || facts.namedByDocument === true)) return allow("reach.asset");
  return refuse("reach.asset", {
    reason: isClosed ? "Pages load pictures, styles and scripts from sites in scope only." : "The page's own HTML does not name this host.",
    remedy: "Go on without this part of the page.",
    operator: allowOption(place),
    site: place.site,
  });
}

/** Frames of other sites load, and are neither shown nor clicked (OS-5), unless `reach` binds them. */
function byFrame({ policy, facts }: Asked): Verdict | null {
  if (facts.kind !== "subframe" || facts.shown !== null || policy.kinds.has("subframe")) return null;
  return allow("reach.frame");
}

/** Data to other sites: without credentials where `reach` does not bind data or any public site may be read. Sockets go to sites in scope only. */
function byData({ policy, facts, place }: Asked): Verdict | null {
  if (reachKindOf(facts.kind) !== "data") return null;
  const isFree = !policy.kinds.has("data") || policy.reading === "open";
  if (!isFree || facts.kind === "socket") return null;
  if (!facts.credentials) return allow("reach.data");
  return refuse("reach.credentials", {
    reason: "The request would carry a sign-in of another site.",
    remedy: "Go on without it.",
    operator: allowOption(place),
    site: place.site,
  });
}

function byReading({ policy, facts, place }: Asked): Verdict | null {
  const isReading = facts.kind === "navigation" || facts.kind === "subframe";
  if (facts.kind === "navigation" && !policy.kinds.has("navigation")) return allow("reach.open");
  if (policy.reading === "open" && isReading) return downgraded({ policy, facts, place }, []) ?? allow("reach.open");
  return outOfScope(policy, place, facts.kind === "socket" ? "socket" : "site");
}

/** The agent's way, data and sockets: not what a page only adorns itself with. */
function isChoice(policy: ReachPolicy, facts: ReachFacts): boolean {
  if (facts.kind === "subframe") return facts.shown !== null || policy.kinds.has("subframe");
  return facts.kind !== "subresource";
}

function inScope(policy: ReachPolicy, entry: SiteEntry, place: CanonicalUrl): boolean {
  // A mapped name is served from one place, whatever the port.
  if (policy.mapped.has(place.host) && entry.port === null && entry.scheme === null) return coversHost(entry, place.host);
  return covers(entry, place);
}

/** Whether a document there is in scope, a helper, or opened: those that may use helpers. */
function isInReach(policy: ReachPolicy, address: string): boolean {
  const place = canonicalUrl(address);
  if (!place.ok || place.origin === null) return false;
  return isOpened(policy.private, place) || [...policy.scope, ...policy.helpers].some((entry) => inScope(policy, entry, place));
}

function sameMain(policy: ReachPolicy, facts: ReachFacts, place: CanonicalUrl): boolean {
  if (facts.mainUrl === null) return false;
  const main = canonicalUrl(facts.mainUrl);
  if (!main.ok || main.origin === null) return false;
  return policy.subdomains ? sameSite(main.site, place.site) : main.host === place.host;
}

/** The step from https down to http, within a host (design.md, "Words"). An entry that says http:// is the operator's yes. */
function downgraded({ facts, place }: Asked, entries: readonly SiteEntry[]): Refuse | null {
  if (facts.shown !== null || schemeOf(place) === "https" || (facts.kind !== "navigation" && facts.kind !== "subframe")) return null;
  if (entries.some((entry) => entry.scheme === "http")) return null;
  const isSecure = (address: string | null): boolean => {
    const other = address === null ? null : canonicalUrl(address);
    return other?.ok === true && other.url.protocol === "https:" && sameSite(other.site, place.site);
  };
  if (!facts.wasSecure && !isSecure(facts.requester) && !isSecure(facts.redirectedFrom)) return null;
  return refuse("reach.downgrade", {
    reason: "This step gives up https: others on the way could read and change the page.",
    remedy: "Use the https address.",
    operator: allowOption(place).replace(" ", " http://"),
    site: place.site,
  });
}

/** The place is private and the operator opened it: to the agent's navigation and to its own documents, never to public pages (EG-4). */
function judgeOpened(policy: ReachPolicy, facts: ReachFacts, place: CanonicalUrl): Verdict {
  const isOpen = (address: string | null): boolean => address !== null && isOpenedAddress(policy.private, address);
  // The place that sent it on was judged before; only an opened one may send on to an opened one.
  if (facts.hop !== 0 && !isOpen(facts.redirectedFrom)) return fromPublic(place.site);
  if (isOpen(facts.requester)) {
    const top = facts.kind === "navigation" || facts.mainUrl === null ? null : canonicalUrl(facts.mainUrl);
    const isUnderPublic = top?.ok === true && top.origin !== null && !isOpened(policy.private, top);
    return isUnderPublic ? fromPublic(place.site) : allow("reach.private");
  }
  if (facts.kind !== "navigation") return fromPublic(place.site);
  return facts.hop !== 0 || isChosen(facts) ? allow("reach.private") : fromPublic(place.site);
}

/** Whether somebody who may open private places, and not a page, chose this navigation. */
function isChosen(facts: ReachFacts): boolean {
  switch (facts.by) {
    case "call":
      return facts.agentChose;
    case "person":
    case "signIn":
    case "code":
      return true;
    case "page":
    case "browser":
      return false;
    default:
      facts.by satisfies never;
      return false;
  }
}

function closed(place: CanonicalUrl): Refuse {
  // Other names may be a page's words, so only an address or the plain word is written out.
  const isPlain = isAddressLiteral(place.host) || place.host === "localhost";
  return refuse("reach.private", {
    reason: "The address is on this machine or in a private network, which is closed.",
    remedy: "Use a public address, or tell the operator that this one is needed.",
    operator: `--private ${isPlain && place.origin !== null ? place.origin.replace(/^ws/, "http") : "ORIGIN"}`,
    site: place.site,
  });
}

function fromPublic(site: Site | null): Refuse {
  return refuse("reach.private", {
    reason: "A private address is opened to the agent's own navigation and to its own pages, not to other pages.",
    remedy: "If the task needs it, open it with navigate and its address.",
    operator: null,
    site,
  });
}

/** `host`: of a list, or the place's own. */
function mustBeNamed(host: string, place: CanonicalUrl): Refuse {
  return refuse("reach.sensitive", {
    reason: "This is a place for money, mail, health or sign-in, which the operator must name itself.",
    remedy: "Tell the operator that this site is needed.",
    operator: `--allow ${host}`,
    site: place.site,
  });
}

function outOfScope(policy: ReachPolicy, place: CanonicalUrl, what: "site" | "socket" | "undecided"): Refuse {
  const others = policy.scopeGiven ? [] : policy.scope.map((entry) => `--allow ${entryText(entry)}`);
  return refuse(what === "undecided" ? "reach.undecided" : "reach.site", {
    reason: what === "socket" ? "Sockets go to sites in scope only, and this site is not." : "This site is not in scope.",
    remedy: "Stay on the sites in scope, or tell the operator that this one is needed.",
    operator: [...others, allowOption(place)].join(" "),
    site: place.site,
  });
}

/** The site rather than the host, which may be a page's words. */
function allowOption(place: CanonicalUrl): string {
  return `--allow ${isAddressLiteral(place.host) || place.site === null ? place.host : place.site}`;
}

function notAnAddress(reason: string): Refuse {
  return refuse("reach.address", { reason, remedy: "Give a complete http or https address.", operator: null, site: null });
}

function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function isAbout(parsed: CanonicalUrl, what: "blank" | "srcdoc"): boolean {
  return parsed.url.protocol === "about:" && parsed.url.pathname === what;
}

function header(headers: Readonly<Record<string, string>>, name: string): string | null {
  for (const [key, value] of Object.entries(headers)) if (key.toLowerCase() === name) return value;
  return null;
}

/** An allowed navigation that would put its site into scope, were it the first and no scope given (OS-1). */
export function isFirstUse(policy: ReachPolicy, verdict: Verdict): verdict is Allow | Refuse {
  return !policy.scopeGiven && (verdict.rule === "reach.site" || verdict.rule === "reach.open");
}

/** What the first use grants: the address's site. Null for what has none. */
export function firstUseEntry(policy: ReachPolicy, url: string): SiteEntry | null {
  const place = canonicalUrl(url);
  if (!place.ok || place.site === null) return null;
  const port = portOf(place.url);
  return {
    host: isAddressLiteral(place.host) || !policy.subdomains ? place.host : place.site,
    scheme: null,
    port: isWebPort(port) ? null : port,
    subdomains: policy.subdomains,
  };
}
