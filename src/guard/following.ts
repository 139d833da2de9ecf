import type { Described } from "../gate/index.ts";
import { isId } from "../gate/index.ts";
import type { RequestFacts } from "../types.ts";
import type { Following, Held } from "./inputs.ts";

const FOLLOWS_MS = 10_000;
const FOLLOWS_REQUESTS = 10;

/** Headers that an app draws anew for each request. */
const VARYING_HEADER =
  /^header .*(?:csrf|xsrf|token|nonce|request-?id|trace|span|etag|if-|idempotency|session|authorization|sentry|baggage|accept|content-)/i;

/** What a yes to these lets follow. */
export function followingOf(held: readonly Held[], now: number): Following {
  return {
    until: now + FOLLOWS_MS,
    left: FOLLOWS_REQUESTS,
    prefixes: held.flatMap(({ described }) =>
      described.origin === null ? [] : [described.origin + directoryOf(described.path)],
    ),
    answered: new Set(held.map(({ same }) => same)),
    operations: new Set(held.map(({ described }) => described.operation.key)),
    values: new Set(
      held.flatMap(({ described }) => [
        ...described.operation.path,
        ...described.operation.slots.map(({ value }) => value),
      ]),
    ),
  };
}

/**
 * Whether a request may follow: in time, at the same place prefix, with no id that was not in what was answered, and
 * not the same once more.
 */
export function follows(following: Following | null, described: Described, same: string, now: number): boolean {
  if (
    following === null ||
    now >= following.until ||
    following.left <= 0 ||
    described.origin === null ||
    following.answered.has(same)
  )
    return false;
  const place = described.origin + described.path;
  if (
    !following.prefixes.some(
      (prefix) => place === prefix || place.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`),
    )
  )
    return false;
  const ids = described.operation.slots.filter(
    ({ name, value }) => !VARYING_HEADER.test(name) && value !== "" && isId(value) && !isCount(name, value),
  );
  if (!ids.every(({ value }) => following.values.has(value))) return false;
  // Another one of the same kind, another account, another mutation is another thing.
  if (described.method !== "POST" && !described.operation.path.every((segment) => following.values.has(segment)))
    return false;
  if (described.isGraphql && !described.isQuery && !following.operations.has(described.operation.key)) return false;
  return described.operation.slots.every(
    ({ name, value }) => !(ACCOUNT.test(name) || value.includes("@")) || value === "" || following.values.has(value),
  );
}

/** A small number that nothing names as an id. */
function isCount(name: string, value: string): boolean {
  return /^\d{1,2}$/.test(value) && !name.startsWith("path ") && !/id\]?$/i.test(name);
}

/** Slots that say who somebody is, or how to reach or enter. */
const ACCOUNT = /(?:^|[._[?-])(?:e?mail|password\w*|passwd|user(?:name)?|login|phone|to|groups?)\]?$/i;

/**
 * Whether a server sends it on to another path, query or host: that is judged anew, and follows from no answer. A slash
 * at the end makes no other path.
 */
export function isSentElsewhere({
  hop,
  redirectedFrom,
  url,
}: Pick<RequestFacts, "hop" | "redirectedFrom" | "url">): boolean {
  if (hop === 0) return false;
  if (redirectedFrom === null || !URL.canParse(redirectedFrom) || !URL.canParse(url)) return true;
  const [from, to] = [new URL(redirectedFrom), new URL(url)];
  return (
    from.host !== to.host ||
    from.search !== to.search ||
    from.pathname.replace(/\/$/, "") !== to.pathname.replace(/\/$/, "")
  );
}

/** The path up to its last part; a path of one part stands for itself. */
function directoryOf(path: string): string {
  const end = path.replace(/\/$/, "").lastIndexOf("/");
  return end <= 0 ? path : path.slice(0, end + 1);
}
