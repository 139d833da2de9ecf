/**
 * The ways in which a page can make Chromium send something to another site, as pages to try against a guard.
 *
 * For each: serve the channel on one site, let `target` be an address of another one, open the page, press "Go" where
 * `needs` says so. In plain Chromium they arrive (`arena/arena.test.ts` says which do not with the Chromium that is
 * there).
 *
 * Left out because plain Chromium 156 sends nothing from a page on loopback: manifest links (asked for only when an
 * installation is weighed), `attributionsrc`, SVG `use` and CSS `filter` of another origin. Left out because loopback
 * HTTP cannot show them: WebTransport and STUN (UDP), the Reporting API and related origins of passkeys (https only),
 * DNS prefetch.
 */

import { closing, frames, navigations } from "./channels/documents.ts";
import { hints, requests, subresources } from "./channels/loading.ts";
import type { Channel } from "./channels/pages.ts";
import { redirected } from "./channels/redirected.ts";
import { seldom } from "./channels/seldom.ts";
import { workers } from "./channels/workers.ts";

export type { Channel, ChannelFile } from "./channels/pages.ts";

export const channels: readonly Channel[] = [
  ...requests,
  ...subresources,
  ...hints,
  ...seldom,
  ...frames,
  ...workers,
  ...navigations,
  ...closing,
  ...redirected,
];
