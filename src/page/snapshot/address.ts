/** Addresses as the model sees them: short, without user-info, fragment and credentials. */

const SAME_SITE_MAX_CHARACTERS = 60;
const FOREIGN_MAX_CHARACTERS = 80;
const CREDENTIAL =
  /(?:^|[_.-])(?:token|auth|code|key|apikey|secret|sig|signature|session|sid|pass|password|pwd|otp|ticket|state|nonce|jwt|assertion|credential|hash)s?$|token|secret|password|apikey|signature/i;
const HIDDEN_VALUE = "…";

/** Path and query, with the values of credential parameters taken out. */
function withoutCredentials(url: URL): string {
  if (url.search === "") return url.pathname;
  const parts = url.search
    .slice(1)
    .split("&")
    .map((part) => {
      const at = part.indexOf("=");
      return at > 0 && CREDENTIAL.test(part.slice(0, at)) ? `${part.slice(0, at)}=${HIDDEN_VALUE}` : part;
    });
  return `${url.pathname}?${parts.join("&")}`;
}

/**
 * Where a link goes, seen from a document. Same origin: path and query, null when long or when it only moves within the
 * page. Elsewhere: always at least the origin. Not http(s): the scheme.
 */
export function linkAddress(
  href: string,
  documentUrl: string,
): { readonly text: string; readonly foreign: boolean } | null {
  const url = parsed(href);
  if (url === null) return null;
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return url.protocol === "javascript:" ? null : { text: url.protocol, foreign: true };
  const path = withoutCredentials(url);
  const here = parsed(documentUrl);
  if (here !== null && here.origin === url.origin) {
    if (here.pathname === url.pathname && here.search === url.search) return null;
    return path.length > SAME_SITE_MAX_CHARACTERS ? null : { text: path, foreign: false };
  }
  const whole = `${url.origin}${path}`;
  return { text: whole.length > FOREIGN_MAX_CHARACTERS ? `${url.origin}/…` : whole, foreign: true };
}

const WHOLE_MAX_CHARACTERS = 500;

/**
 * A link's whole address as data, without user-info, fragment and credentials; the origin alone when it is too long,
 * null when it is no place.
 */
export function wholeAddress(href: string): string | null {
  const url = parsed(href);
  if (url === null || url.protocol === "javascript:") return null;
  if (url.protocol !== "http:" && url.protocol !== "https:") return url.protocol;
  const whole = `${url.origin}${withoutCredentials(url)}`;
  return whole.length > WHOLE_MAX_CHARACTERS ? `${url.origin}/…` : whole;
}

function parsed(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}
