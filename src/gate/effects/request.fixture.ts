import { createHash } from "node:crypto";
import type { Body } from "../../types.ts";
import type { EffectState } from "./decide.ts";
import type { EffectFacts } from "./facts.ts";

/** A body of these bytes, with their digest. */
export function bodyOf(contentType: string, content: string | Uint8Array): Body {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { kind: "bytes", contentType, bytes, digest: createHash("sha256").update(bytes).digest("hex") };
}

export const FORM = "application/x-www-form-urlencoded";
export const JSON_TYPE = "application/json";

/** A fetch of shop.test's own page. */
export const FETCH: EffectFacts = {
  method: "POST",
  url: "https://shop.test/items",
  kind: "data",
  resourceType: "Fetch",
  headers: {},
  body: { kind: "none" },
  documentUrl: "https://shop.test/",
  mainUrl: "https://shop.test/",
  hop: 0,
  element: null,
};

/** The agent has acted, nobody granted anything. */
export const ACTED: EffectState = {
  mode: "act",
  by: "page",
  hasInput: true,
  isPrivateSite: false,
  isOpenSite: false,
  ownShape: false,
  wasAsked: false,
  typedValues: [],
  freeLeft: 20,
  grant: null,
};
