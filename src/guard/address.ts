import { canonicalUrl, isId } from "../gate/index.ts";

/** Whether an address tells a page which thing, or what to do: a query, a fragment, an id in its path. */
export function carriesChoice(url: string): boolean {
  const place = canonicalUrl(url);
  if (!place.ok) return true;
  const { search, hash, pathname } = place.url;
  return search !== "" || hash !== "" || pathname.split("/").some((segment) => segment !== "" && isId(segment));
}

/** Parameters and fields by which a sign-in hands over to the next place. */
const HANDS_OVER = /^(?:samlresponse|id_token|access_token|ticket|assertion)$/i;

/** Whether an address or a form hands a sign-in over, or uses a one-time code. */
export function handsOver(names: ReadonlyMap<string, string>): boolean {
  if ([...names].some(([name, value]) => HANDS_OVER.test(name) && value.length >= FEWEST_TOKEN_CHARS)) return true;
  return names.has("code") && (names.has("state") || (names.get("code") ?? "").length >= FEWEST_CODE_CHARS);
}

const FEWEST_TOKEN_CHARS = 12;
const FEWEST_CODE_CHARS = 20;
