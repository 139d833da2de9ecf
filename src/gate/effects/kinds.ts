import type { RequestOperation, Slot, VerbName } from "./facts.ts";
import { turnsPage } from "./operation.ts";
import type { BodyParts } from "./parts.ts";
import { lastKey } from "./shape.ts";
import { isSeriousInRead, isSeriousSlot, ordersChange, seriousVerbOf } from "./signs.ts";
import { isListed, wordList, wordsOf } from "./words.ts";

/** What the kinds are told from. */
export interface KindFacts {
  readonly method: string;
  readonly override: string | null;
  readonly operation: RequestOperation;
  readonly parts: BodyParts;
  /** GraphQL queries with their documents, and nothing else. */
  readonly isQuery: boolean;
  /** It carries GraphQL, or names a document that the server has. */
  readonly isGraphql: boolean;
}

/** Methods of WebDAV and HTTP that only ask. */
const ASKING_METHODS: ReadonlySet<string> = new Set(["PROPFIND", "REPORT", "SEARCH", "QUERY"]);

const READS_FIRST = wordList([
  "search, find, get, load, fetch, list, view, read, lookup, suggest, autocomplete, typeahead, count, show, browse, retrieve, describe, check, validate, preview, render, resolve, geocode, estimate, refresh, poll, progressive, is, has, may, can, parse, format, convert, calculate, compare, fetch*, inspect, peek, explain, diff, export",
]);
const READS_LAST = wordList([
  "search, find, list, view, views, get, info, details, detail, history, suggest, suggestion, suggestions, autocomplete, autocompletedata, typeahead, lookup, count, counts, feed, timeline, summary, replies, results, recommendations, recommended",
  "html, text, navigation, menu, tree, rows, records, items, status, state, tail, content, contents, fragment, partial, chunk, recent, related, similar, nearby, popular, trending, unread, inbox, thread, threads",
  "directions, route, routes, geocode, availability, quote, schema, options, facets, filters, completions, completion, startup, startupdata, boot, userboot, player, next, more, page, credential type",
]);
/** Places where GraphQL is at home. */
const GRAPHQL_PLACE = /^_?(?:graphql|gql|graphiql)$/i;

const UPKEEP = wordList([
  "heartbeat, heartbeats, ping, pong, poll, polling, presence, keepalive, alive, track, tracking, stats, stat, statistics, log, logs, logging, clog, metric, metrics, telemetry, collect, collector, beacon, analytics, impression, impressions",
  "negotiate, typing, pageview, pageviews, events, event, rum, csm, vitals, perf, performance, instrumentation, attention, clienterror, jserror, errors, keep alive, viewed, visits",
]);
const UPKEEP_BESIDE: ReadonlySet<string> = new Set(
  "event events page user usage data client frontend browser time raw visit visits na session js web error batch lock refresh post api".split(
    " ",
  ),
);
const MAX_UPKEEP_BYTES = 2_048;
const MAX_UPKEEP_TEXT_CHARS = 64;
const MAX_UPKEEP_HEADER_CHARS = 512;
/** Of time, count, id, state, address, event; in lower case without punctuation. */
const UPKEEP_SLOT =
  /^(?:(?:id|is).*|.*(?:time|timestamp|date|count|num|seq|id|ids|idx|index|cursor|offset|rev|focused|visible|hidden|idle|online|since|state|status|url|uri|href|page|path|referrer|event|events|version|interval|duration|width|height|token|nonce)|action|method|op|cmd|type|name|kind|level|category|label|value|user|app|lang|locale|tz|format|hasfast|crumb|transport|eio|screen|ref|ts|at|since|session|tid|rid|sid|v|t|s|e|ofs|_?|req\d*|\d*)$/;

const DRAFT = wordList(
  [
    "draft, drafts, autosave, autosaves, stash, stashedit, preview, previews, wip, brouillon, entwurf, borrador, черновик",
  ],
  ["임시저장, 下書き, 草稿"],
);
const DRAFT_BESIDE: ReadonlySet<string> = new Set(
  "create update save edit set put store write text markdown html comment post message note content body markup render revision auto get load".split(
    " ",
  ),
);

const DRAFT_OF: ReadonlySet<string> = new Set(["of", "for", "to"]);

/** A reading verb, or a verb and what it reads; never with a word that orders a change. */
export function isReadingName(name: string): boolean {
  const words = wordsOf(name);
  if (words.length === 0 || words.length > MAX_NAME_WORDS || ordersChange(name)) return false;
  // `search.modules.messages`, `ui-list.ListUi.getRecords`: the whole of it, or its last part.
  return [words, wordsOf(lastPart(name))].some((some) => {
    if (isListed(READS_FIRST, some[0] ?? "")) return true;
    // A noun by itself is what a POST makes one of.
    return words.length > 1 ? isListed(READS_LAST, some.at(-1) ?? "") : READS_ALONE.has(words[0] ?? "");
  });
}

const READS_ALONE: ReadonlySet<string> = new Set(
  "search find list get load view history suggest suggestions autocomplete autocompletedata typeahead lookup count counts directions route geocode next more player startupdata".split(
    " ",
  ),
);

const MAX_NAME_WORDS = 12;

/**
 * The same for a segment of a path, of which a noun is what a POST makes one of: only a verb makes it a read, unless it
 * is the name of a call (`conversations.history`).
 */
function isReadingPath(segment: string, hasIdBefore: boolean): boolean {
  if (!isReadingName(segment)) return false;
  const words = wordsOf(segment);
  const first = words[0] ?? "";
  // `/leads/12/convert-to-customer`: what is done to that one.
  if (ACTS_ON_ONE.has(first) && hasIdBefore) return false;
  // `/discussions/12/resolve`, `/tasks/12/check`.
  if (words.length === 1) return !(hasIdBefore && DONE_TO_ONE.has(first)) && first !== "poll";
  return /[.:$!]/.test(segment) || isListed(READS_FIRST, first) || LOOKS_LAST.has(words.at(-1) ?? "");
}

const DONE_TO_ONE: ReadonlySet<string> = new Set(
  "resolve validate format convert check list load read show poll view refresh render parse get fetch inspect export".split(
    " ",
  ),
);
const ACTS_ON_ONE: ReadonlySet<string> = new Set("resolve validate convert format".split(" "));
const LOOKS_LAST: ReadonlySet<string> = new Set(
  "search find suggest suggestions autocomplete autocompletedata typeahead lookup count counts".split(" "),
);

/** `aura://RecordUiController/ACTION$getRecord`: the part that names what is done. */
function lastPart(name: string): string {
  return name.split(/[/$#!.:]/).findLast((part) => part !== "") ?? name;
}

/**
 * Whether an operation only reads, by what it is called. What decides is where the application puts its verb: a field,
 * a header or a document goes before the path. A name can lie; that residue is said in docs/decisions/.
 */
export function isRead(facts: KindFacts, isGraphqlPlace: boolean): boolean {
  const { method, override, operation, parts, isQuery, isGraphql } = facts;
  if (override !== null || parts.files.length > 0) return false;
  if (method !== "POST" && !ASKING_METHODS.has(method)) return false;
  if (seriousVerbOf(facts, operation) !== null || hasSeriousSegment(operation)) return false;
  if (ASKING_METHODS.has(method)) return !ordersChange(operation.path.at(-1) ?? "") && (!isGraphql || isQuery);
  if (isPostback(operation) || operation.slots.some(isSeriousInRead)) return false;
  const named = operation.verbs.filter(({ at }) => at !== "path");
  if (named.some(({ at }) => at === "stored")) return false;
  if (isGraphql)
    return isQuery && (isGraphqlPlace || GRAPHQL_PLACE.test(operation.path.at(-1) ?? "")) && named.every(isFree);
  const last = operation.path.at(-1);
  const before = operation.path.at(-2) ?? "";
  // A field or a header says what is done only where the path leads to what listens to it.
  if (named.length > 0)
    return (
      named.every(({ name }) => isReadingName(name)) &&
      (last === undefined || operation.isDispatcher || isReadingPath(last, operation.hasIdBefore))
    );
  if (last === undefined || ordersChange(last)) return false;
  // One of many is named in the body: what is done to that one.
  if (
    ACTS_ON_ONE.has(wordsOf(last)[0] ?? "") &&
    operation.slots.some(({ name }) => /^(?:.*[a-z]I|i|.*_i)ds?$/.test(name))
  )
    return false;
  if (wordsOf(last)[0] === "refresh" && /token|key|secret|hook|subscription|membership/i.test(before)) return false;
  return (
    isReadingPath(last, operation.hasIdBefore) ||
    (LOOKUPS.has(before.toLowerCase()) && LOOKED_BY.has(last.toLowerCase()))
  );
}

/** A page that posts all of itself to itself: its path says what is shown, not what is done. */
function isPostback({ slots }: RequestOperation): boolean {
  if (!slots.some(({ name }) => /^(?:__VIEWSTATE|javax\.faces\.ViewState|__EVENTTARGET)$/.test(name))) return false;
  return !slots.some(turnsPage);
}

/** Ways to look, behind it. */
const LOOKED_BY: ReadonlySet<string> = new Set([
  "jql",
  "all",
  "global",
  "quick",
  "advanced",
  "results",
  "suggestions",
  "page",
]);
/** In front of what is looked for: `/search/jql`. */
const LOOKUPS: ReadonlySet<string> = new Set(["search", "suggest", "autocomplete", "lookup", "typeahead"]);

function isFree({ name }: VerbName): boolean {
  return !ordersChange(name);
}

function hasSeriousSegment({ path }: RequestOperation): boolean {
  return path
    .slice(0, -1)
    .some(
      (segment) =>
        ordersChange(segment) &&
        wordsOf(segment).length === 1 &&
        !isListed(READS_FIRST, wordsOf(segment)[0] ?? "") &&
        segment !== "batch",
    );
}

/**
 * Heartbeats, statistics and the like: small, and nothing in them that a person wrote. `isLearned`: what of its slots
 * the page sent by itself.
 */
export function isUpkeep(
  { method, override, operation, parts, isGraphql }: KindFacts,
  isLearned: (slot: Slot) => boolean,
): boolean {
  if (method !== "POST" && method !== "PUT") return false;
  if (operation.isTransport)
    return (
      override === null &&
      parts.whole &&
      parts.bytes <= MAX_UPKEEP_BYTES &&
      seriousVerbOf({ method }, operation) === null
    );
  if (
    override !== null ||
    isGraphql ||
    operation.hasIdBefore ||
    parts.files.length > 0 ||
    parts.bytes > MAX_UPKEEP_BYTES
  )
    return false;
  if (seriousVerbOf({ method }, operation) !== null || hasSeriousSegment(operation)) return false;
  const named = operation.verbs.filter(({ at }) => at !== "path" && at !== "stored");
  const last = operation.path.at(-1);
  if (named.length > 0 && last !== undefined && !operation.isDispatcher && !isUpkeepName(last)) return false;
  const names = named.length > 0 ? named.map(({ name }) => lastVerb(name)) : operation.path.slice(-1);
  if (names.length === 0 || !names.every(isUpkeepName)) return false;
  if (parts.kind === "opaque") return false;
  if (
    parts.kind === "text" &&
    !operation.slots.every(
      (slot) => slot.name !== "text" || slot.value.length <= MAX_UPKEEP_TEXT_CHARS || isLearned(slot),
    )
  )
    return false;
  // What may be a thing that somebody makes takes no slots but those of upkeep.
  const isStrict = names.every((name) => wordsOf(name).every((word) => MADE_TOO.has(word)));
  const isLog = names.every((name) => /^logs?$/i.test(name));
  return operation.slots.every(
    (slot) =>
      isLearned(slot) ||
      (isUpkeepSlot(slot) && (!isStrict || isPlainSlot(slot)) && !(isLog && ENTRIES.test(lastKey(slot.name)))),
  );
}

const MADE_TOO: ReadonlySet<string> = new Set(
  "event events visit visits collect collector tracking performance poll polling presence".split(" "),
);
/** Of a log that somebody keeps: words, however few. */
const ENTRIES = /^(?:entry|entries|message|note|notes|text|comment|description|title|content|body|summary|name|label)$/;

/** Codes: no words of a person's, and no day or hour that somebody chose. */
function isPlainSlot({ name, value }: Slot): boolean {
  if (/^(?:header |path )/.test(name)) return true;
  const key = lastKey(name);
  return (
    UPKEEP_SLOT.test(key) &&
    !/^(?:date|day|startdate|enddate|starttime|endtime)$/.test(key) &&
    (!/\s/.test(value) || /^https?:/.test(value))
  );
}

function lastVerb(name: string): string {
  return name.split(/[/$#!]/).findLast((part) => part !== "") ?? name;
}

function isUpkeepName(name: string): boolean {
  const words = wordsOf(name);
  return (
    words.length > 0 &&
    words.length <= 4 &&
    words.some((word) => isListed(UPKEEP, word)) &&
    words.every((word) => isListed(UPKEEP, word) || UPKEEP_BESIDE.has(word))
  );
}

/** What a page tells of itself by its state. */
const IS_THERE: ReadonlySet<string> = new Set(["active", "closed"]);

/** Codes, counts and addresses, no text of a person's. */
function isUpkeepSlot(slot: Slot): boolean {
  const { name, value } = slot;
  if (isSeriousSlot(slot, false) && !IS_THERE.has(value)) return false;
  if (/[^\s@]@[^\s@]+\.[^\s@]/.test(value) && !/^https?:/.test(value)) return false;
  if (/^(?:header |path )/.test(name) || name === "text") return value.length <= MAX_UPKEEP_HEADER_CHARS;
  if (value.length <= MAX_UPKEEP_TEXT_CHARS && !/\s/.test(value)) return true;
  return UPKEEP_SLOT.test(lastKey(name)) && (value.length <= MAX_UPKEEP_TEXT_CHARS || /^https?:\/\//.test(value));
}

/** A session that prolongs itself: its own token, and nothing else in it. */
export function isTokenRefresh({ method, override, operation, parts }: KindFacts): boolean {
  if (method !== "POST" || override !== null || !parts.whole || parts.files.length > 0) return false;
  if (seriousVerbOf({ method }, operation) !== null || operation.hasIdBefore) return false;
  const words = wordsOf(operation.path.slice(-2).join(" "));
  if (
    !words.some((word) => OF_A_SESSION.has(word)) ||
    words.some((word) => OF_A_KEY.has(word)) ||
    !TOKEN_PLACES.has(wordsOf(operation.path.at(-1) ?? "").at(-1) ?? "")
  )
    return false;
  const keys = operation.slots.filter(({ name }) => !name.startsWith("header ")).map(({ name }) => lastKey(name));
  const grant = operation.slots.find(({ name }) => lastKey(name) === "granttype");
  if (grant !== undefined) return grant.value === "refresh_token" && keys.every((key) => REFRESH_KEYS.has(key));
  const isRefresh = words.some((word) => ["refresh", "renew", "rotate"].includes(word));
  return isRefresh && keys.every((key) => REFRESH_KEYS.has(key) || key.endsWith("token"));
}

const TOKEN_PLACES: ReadonlySet<string> = new Set(
  "token tokens oauth oauth2 refresh renew rotate session jwt auth".split(" "),
);
const OF_A_SESSION: ReadonlySet<string> = new Set("token tokens oauth session sessions jwt auth".split(" "));
/** Keys that somebody handed to others. */
const OF_A_KEY: ReadonlySet<string> = new Set("api personal key keys deploy bot subscription membership".split(" "));
const REFRESH_KEYS: ReadonlySet<string> = new Set(
  "granttype refreshtoken clientid clientsecret scope scopes redirecturi audience resource".split(" "),
);

/** Text that a page keeps or shows while it is written. */
export function isDraft(facts: KindFacts): boolean {
  const { method, override, operation, parts, isGraphql } = facts;
  if (
    !["POST", "PUT", "PATCH"].includes(method) ||
    override !== null ||
    isGraphql ||
    parts.files.length > 0 ||
    !parts.whole
  )
    return false;
  if (
    seriousVerbOf(facts, operation) !== null ||
    operation.slots.some((slot) => isSeriousSlot(slot, false) || isTimed(slot))
  )
    return false;
  const named = operation.verbs.filter(({ at }) => at !== "path");
  if (named.some(({ at }) => at === "stored")) return false;
  const names = named.length > 0 ? named.map(({ name }) => lastVerb(name)) : operation.path.slice(-1);
  // `?do=edit` beside `do[preview]`: where it stands, and what was pressed.
  return (
    names.some(isDraftName) &&
    names.every((name) => isDraftName(name) || wordsOf(name).every((word) => DRAFT_BESIDE.has(word)))
  );
}

/** It goes out by itself some time. */
function isTimed({ name, value }: Slot): boolean {
  return (
    value !== "" &&
    !["false", "0", "null"].includes(value) &&
    /^(?:auto|is)?(?:publish|send|schedul|release)/.test(lastKey(name))
  );
}

function isDraftName(name: string): boolean {
  const words = wordsOf(name);
  // "Draft of …": what follows is a title.
  if (isListed(DRAFT, words[0] ?? "") && DRAFT_OF.has(words[1] ?? "")) return true;
  return (
    words.length > 0 &&
    words.length <= 4 &&
    words.some((word) => isListed(DRAFT, word)) &&
    words.every((word) => isListed(DRAFT, word) || DRAFT_BESIDE.has(word))
  );
}
