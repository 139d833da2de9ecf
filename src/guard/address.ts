import { canonicalUrl, isId } from "../gate/index.ts";
import type { RequestFacts } from "../types.ts";

/** Whether an address tells a page which thing, or what to do: a query, a fragment, an id in its path. */
export function carriesChoice(url: string): boolean {
  const place = canonicalUrl(url);
  if (!place.ok) return true;
  const { searchParams, hash, pathname } = place.url;
  return (
    [...searchParams.keys()].some((name) => !GOES_ON.test(name)) ||
    hash !== "" ||
    pathname.split("/").some((segment) => segment !== "" && isId(segment))
  );
}

/** Parameters that say where to go on, to whom a sign-in belongs, or in which language: not what to do. */
const GOES_ON =
  /^(?:continue|next|return|return_?to|return_?url|redirect|redirect_?(?:to|uri|url)|back|back_?url|client_id|state|nonce|scope|response_type|response_mode|code_challenge(?:_method)?|prompt|lang|hl|locale|utm_\w+)$/i;

/** Parameters and fields by which a sign-in hands over to the next place. */
const HANDS_OVER = /^(?:samlresponse|id_token|access_token|ticket|assertion)$/i;

/** Whether an address or a form hands a sign-in over, or uses a one-time code. */
export function handsOver(names: ReadonlyMap<string, string>): boolean {
  if ([...names].some(([name, value]) => HANDS_OVER.test(name) && value.length >= FEWEST_TOKEN_CHARS)) return true;
  return names.has("code") && (names.has("state") || (names.get("code") ?? "").length >= FEWEST_CODE_CHARS);
}

const FEWEST_TOKEN_CHARS = 12;
const FEWEST_CODE_CHARS = 20;

/** What a blob: document sends, its maker sends; what a worker of no tab sends is below no other site's document. */
export function ofItsMaker(facts: RequestFacts): RequestFacts {
  const { documentUrl, mainUrl, page } = facts.from;
  const maker = documentUrl?.startsWith("blob:http") === true ? documentUrl.slice("blob:".length) : null;
  const own = maker !== null && URL.canParse(maker) ? `${new URL(maker).origin}/` : documentUrl;
  if (own === documentUrl && (page !== null || mainUrl !== null)) return facts;
  return { ...facts, from: { ...facts.from, documentUrl: own, mainUrl: page === null ? (mainUrl ?? own) : mainUrl } };
}
