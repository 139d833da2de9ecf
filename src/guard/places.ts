import { type Described, fieldKind, isId, siteOf } from "../gate/index.ts";
import type { Site } from "../types.ts";

export function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : url;
}

export function pathOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? placeOf(url) : null;
}

export function siteOfUrl(url: string | null): Site | null {
  return url === null ? null : siteOf(url);
}

/** Where a draft lies: by its whole address, or by a name of its own ("Draft of …") wherever it is kept. */
export function draftKey({ origin, url, operation }: Described): string {
  const last = operation.path.at(-1) ?? "";
  return DRAFT_NAME.test(last) ? `${origin ?? ""} ${last}` : url;
}

const DRAFT_NAME = /^drafts? (?:of|for|to) \S/i;

/** What a no is for. */
export function closedKey({ place, operation }: Described): string {
  return operation.key === "" ? place : operation.key;
}

/** Names of its slots; every place of a list is one. */
export function slotKinds({ operation }: Described): readonly string[] {
  return [
    ...new Set(operation.slots.filter(({ name }) => !name.startsWith("header ")).map(({ name }) => fieldKind(name))),
  ];
}

/** Without what varies from one connection to the next. */
export function socketPlaceOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname
    .split("/")
    .map((segment) => (segment !== "" && isId(segment) ? "*" : segment))
    .join("/")}`;
}
