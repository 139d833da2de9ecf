/** What stands where a secret was. */
export const REDACTED = "(secret)";

/** Longest address or text that a record or a message carries, in characters. */
const MAX_URL_CHARS = 2_000;
const MAX_TEXT_CHARS = 8_000;
/** How much of a path or query is looked at; what follows is dropped unseen. */
const MAX_PART_CHARS = 4_000;
/** Addresses in parameters of addresses are followed this deep; deeper ones are taken out whole. */
const MAX_NESTING = 3;

/** Names that say "credential" wherever they stand in a parameter's name, punctuation and case left out. */
const TELLING =
  /token|passw|passphrase|secret|signature|session|sessid|apikey|accesskey|privatekey|jwt|credential|authoriz|bearer|samlresponse|samlrequest|verifier|onetime|resetkey/;
/** Names that say it only as a word of their own: "code" does, "postcode" does not. */
const WHOLE_NAMES: ReadonlySet<string> = new Set([
  "code",
  "key",
  "state",
  "sig",
  "sid",
  "auth",
  "pass",
  "pwd",
  "pw",
  "pin",
  "otp",
  "totp",
  "mfa",
  "ticket",
  "nonce",
  "hash",
  "hmac",
  "csrf",
  "xsrf",
]);
/** Words that say it as any word of a longer name: "user_otp", "oauth-sig". */
const TELLING_WORDS: ReadonlySet<string> = new Set([
  "sig",
  "sid",
  "pwd",
  "otp",
  "totp",
  "auth",
  "oauth",
  "csrf",
  "xsrf",
  "passcode",
  "authcode",
]);

const ABSOLUTE = /^\s*[a-z][a-z\d+.-]*:[/\\]{2}/i;
const JWT_LIKE = /eyJ[\w-]{6,}(?:\.[\w-]*){1,4}/g;
const SCHEME_VALUE = /\b(Bearer|Basic|Digest)((?:\s|\+|%20)+)[^\s"',;&<>]{6,}/gi;
const USER_INFO = /([a-z][a-z\d+.-]{0,20}:[/\\]{2})[^\s/\\?#"'<>]*@/gi;
/** Tokens that say by their prefix what they are. */
const PREFIXED =
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{10,}|[sr]k_(?:live|test)_\w{10,}|whsec_\w{10,}|npm_[A-Za-z0-9]{20,}|pypi-[\w-]{16,}|dop_v1_\w{16,}|shp(?:at|ss|ca|pa)_\w{16,}|SG\.[\w-]{10,}\.[\w-]{10,}|A(?:KIA|SIA)[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w-]{16,}|sk-[\w-]{16,}|hf_[A-Za-z0-9]{16,}|lin_api_\w{16,}|secret_[A-Za-z0-9]{16,}|bot\d{6,}:[\w-]{20,}|\d{8,10}:AA[\w-]{20,})/g;
/** Sections of an address behind which a secret stands: whoever has the address may do what it is for. */
const BEFORE_SECRET =
  /^(?:reset|resetpassword|passwordreset|setpassword|newpassword|recover|recovery|forgot|activate|activation|verify|verification|verifyemail|confirm|confirmation|confirmemail|invite|invitation|invitations|join|magic|magiclink|magiclogin|signin|login|unsubscribe|token|tokens|auth|share|shared|s|hook|hooks|webhook|webhooks|callback|feed|private|key|keys|session|sso|onetime|otp)$/;
const FEWEST_SECRET_CHARS = 12;

/** A name and the sign that a value follows: `name=`, `"name": `, `name%3D`. */
const NAME_AND_SIGN = /(["']?)([A-Za-z][\w.[\]-]{0,60})\1\s{0,4}(?:=|:|%3D|%3A)\s{0,4}/gi;
const VALUE = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s"'&,;<>]+/y;
/** Headers whose value is everything up to the end of the line. */
const WHOLE_LINE_NAMES = /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i;
const REST_OF_LINE = /[^\r\n]+/y;

/** Whether a parameter or field of that name holds a credential. */
export function isCredentialName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
  const joined = words.join("");
  return TELLING.test(joined) || WHOLE_NAMES.has(joined) || words.some((word) => TELLING_WORDS.has(word));
}

/**
 * An address for records, results and messages: without user-info, fragment and the values of credential parameters, at
 * most 2,000 characters. data: and javascript: keep their scheme only. Never throws.
 */
export function redactUrl(url: string): string {
  return cut(redactAddress(url, 0), MAX_URL_CHARS);
}

/**
 * Free text (an exception's message, a console line) without what looks like a credential, at most 8,000 characters.
 * Never throws.
 */
export function redactText(text: string): string {
  const whole = maskLooks(text.slice(0, MAX_TEXT_CHARS).replace(USER_INFO, "$1"));
  return (text.length > MAX_TEXT_CHARS ? `${maskAssignments(whole)}…` : maskAssignments(whole)).slice(
    0,
    MAX_TEXT_CHARS + 1,
  );
}

function maskAssignments(text: string): string {
  let masked = "";
  let done = 0;
  for (const found of text.matchAll(NAME_AND_SIGN)) {
    const name = found[2] ?? "";
    const isLine = WHOLE_LINE_NAMES.test(name);
    if (found.index < done || !(isLine || isCredentialName(name))) continue;
    const start = found.index + found[0].length;
    const value = isLine ? REST_OF_LINE : VALUE;
    value.lastIndex = start;
    if (!value.test(text)) continue;
    masked += text.slice(done, start) + REDACTED;
    done = value.lastIndex;
  }
  return masked + text.slice(done);
}

function redactAddress(text: string, depth: number): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "(not an address)";
  }
  if (url.protocol === "data:" || url.protocol === "javascript:") return `${url.protocol}(${text.length} characters)`;
  if (url.protocol === "blob:") return `blob:${url.origin}`;
  url.username = "";
  url.password = "";
  const query = url.search.slice(1, MAX_PART_CHARS);
  url.search = "";
  url.hash = "";
  const bare = maskLooks(redactPath(redactMatrix(url.href.slice(0, MAX_PART_CHARS))));
  return query === "" ? bare : `${bare}?${redactPairs(query, depth)}`;
}

/** `;jsessionid=…` in a path. */
function redactMatrix(address: string): string {
  return address.replace(/;([^=;/?]{1,60})=([^;/?]*)/g, (match: string, name: string) =>
    isCredentialName(decoded(name)) ? `;${name}=${REDACTED}` : match,
  );
}

/** Links to reset a password, web hooks, bots: the secret is a part of the path. */
function redactPath(address: string): string {
  if (!ABSOLUTE.test(address)) return address;
  const [scheme = "", empty = "", host = "", ...segments] = address.split("/");
  let isAfter = false;
  const kept = segments.map((segment) => {
    const shown = isAfter && looksRandom(segment) ? REDACTED : segment;
    // Behind it may stand more than one: `/services/T000/B000/XXXX`, `/webhooks/12345/abc…`.
    isAfter ||=
      BEFORE_SECRET.test(segment.toLowerCase().replace(/[^a-z0-9]/g, "")) ||
      (host.startsWith("hooks.") && segment === "services");
    return shown;
  });
  return [scheme, empty, host, ...kept].join("/");
}

/** Nobody's word: long, and with both letters and digits, or with changes of case, in one piece. */
function looksRandom(segment: string): boolean {
  const plain = decoded(segment);
  if (plain.length < FEWEST_SECRET_CHARS || !/^[\w.~=+:-]+$/.test(plain)) return false;
  const words = plain.split(/[-_.]/);
  const isWords = words.length > 1 && words.every((word) => /^(?:[a-z]+|[A-Z][a-z]*|\d{1,4})$/.test(word));
  return (
    !isWords &&
    (/\d/.test(plain) ? /[A-Za-z]/.test(plain) || plain.length >= 16 : /[a-z][A-Z]|[A-Z][a-z]+[A-Z]/.test(plain))
  );
}

function redactPairs(query: string, depth: number): string {
  return query
    .split("&")
    .map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 0) return redactValue(pair, depth);
      const name = pair.slice(0, equals);
      const value = pair.slice(equals + 1);
      if (value === "") return pair;
      return `${maskLooks(name)}=${isCredentialName(decoded(name)) ? REDACTED : redactValue(value, depth)}`;
    })
    .join("&");
}

/** A value may be an address or a query again ("next=https%3A%2F%2F…%3Ftoken%3D…"). */
function redactValue(value: string, depth: number): string {
  const plain = decoded(value);
  const isSimple = !/[=:%]/.test(plain);
  if (!isSimple && depth >= MAX_NESTING) return REDACTED;
  const clean = isSimple
    ? maskLooks(plain)
    : ABSOLUTE.test(plain)
      ? redactAddress(plain, depth + 1)
      : redactInner(plain, depth + 1);
  return clean === plain ? value : encodeURIComponent(clean).replaceAll(encodeURIComponent(REDACTED), REDACTED);
}

/** A relative address, a query, or JSON. */
function redactInner(plain: string, depth: number): string {
  const query = plain.search(/[?#]/);
  const head = query < 0 ? "" : plain.slice(0, query + 1);
  const rest = query < 0 ? plain : plain.slice(query + 1);
  return redactText(head + (rest.includes("=") ? redactPairs(rest, depth) : rest));
}

function maskLooks(text: string): string {
  return text.replace(PREFIXED, REDACTED).replace(JWT_LIKE, REDACTED).replace(SCHEME_VALUE, `$1$2${REDACTED}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Broken escapes: decode what can be decoded, so that they do not hide a name.
    return text.replace(/%([0-7][\da-f])/gi, (_match: string, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
