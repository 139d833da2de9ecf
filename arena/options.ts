import type { Options } from "./scenario.ts";

/** What a session has by itself, with its sites named. */
export const ALLOWED: Options = { allow: ["shop.test", "docs.test", "user.hosting.test"] };

/** Nothing at all goes to sites that are not named. */
export const CLOSED: Options = { ...ALLOWED, assets: "closed", reach: ["navigation", "data", "subresource", "subframe"] };
