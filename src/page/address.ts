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
 * Where a link goes, seen from a document. Same origin: path and query, null when long or when it only moves within the page.
 * Elsewhere: always at least the origin. Not http(s): the scheme.
 */
export function linkAddress(href: string, documentUrl: string): { readonly text: string; readonly foreign: boolean } | null {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return url.protocol === "javascript:" ? null : { text: url.protocol, foreign: true };
  const path = withoutCredentials(url);
  let here: URL | null = null;
  try {
    here = new URL(documentUrl);
  } catch {
    here = null;
  }
  if (here !== null && here.origin === url.origin) {
    if (here.pathname === url.pathname && here.search === url.search) return null;
    return path.length > SAME_SITE_MAX_CHARACTERS ? null : { text: path, foreign: false };
  }
  const whole = `${url.origin}${path}`;
  return { text: whole.length > FOREIGN_MAX_CHARACTERS ? `${url.origin}/…` : whole, foreign: true };
}
