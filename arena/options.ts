import type { openSession } from "../src/index.ts";

/** Options of a guarded session. */
export type Options = Omit<
  NonNullable<Parameters<typeof openSession>[0]>,
  "hostMap" | "storageState" | "browser" | "ledger"
>;

/**
 * What a session has by itself, with its sites named. What they are sent counts as reading: reach alone stops what must
 * not leave.
 */
const named: Options = {
  allow: ["shop.test", "docs.test", "user.hosting.test"],
  effects: {
    readLike: [
      { site: "shop.test", path: "/**" },
      { site: "user.hosting.test", path: "/**" },
    ],
  },
};
/** Nothing at all goes to sites that are not named. */
const closed: Options = { ...named, assets: "closed", reach: ["navigation", "data", "subresource", "subframe"] };

/** The options that a scenario may be run under. Those under the same ones share a session. */
export const OPTIONS = {
  "sites named": named,
  closed,
  "closed, loopback open": { ...closed, private: ["localhost"] },
  "a private origin open": { ...named, private: ["http://127.0.0.1:1"] },
  "all but a block list": { allow: ["docs.test"], reading: "open", block: ["bank.test"] },
} as const satisfies Readonly<Record<string, Options>>;

export type Under = keyof typeof OPTIONS;
