import { createHash } from "node:crypto";
import type { Body } from "../../types.ts";
import { PLAIN_EFFECT, PLAIN_STATE } from "./rules.ts";

/** A body of these bytes, with their digest. */
export function bodyOf(contentType: string, content: string | Uint8Array): Body {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { kind: "bytes", contentType, bytes, digest: createHash("sha256").update(bytes).digest("hex") };
}

export const FORM = "application/x-www-form-urlencoded";
export const JSON_TYPE = "application/json";

/** A fetch of shop.test's own page. */
export const FETCH = PLAIN_EFFECT;
/** The agent has acted, nobody granted anything. */
export const ACTED = PLAIN_STATE;
