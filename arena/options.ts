import type { Options } from "./scenario.ts";

/** What a session has by itself, with its sites named. What they are sent counts as reading: reach alone stops what must not leave. */
export const ALLOWED: Options = {
  allow: ["shop.test", "docs.test", "user.hosting.test"],
  effects: {
    readLike: [
      { site: "shop.test", path: "/**" },
      { site: "user.hosting.test", path: "/**" },
    ],
  },
};

/** Nothing at all goes to sites that are not named. */
export const CLOSED: Options = { ...ALLOWED, assets: "closed", reach: ["navigation", "data", "subresource", "subframe"] };
