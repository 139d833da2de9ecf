/** Random bytes of a key, a cookie, a token. */
export const SECRET_BYTES = 32;
export const NONCE_BYTES = 16;
export const MOST_BODY_BYTES = 64 * 1024;
export const MOST_OPEN_QUESTIONS = 256;
/** Shown below the open ones; older ones are forgotten. */
export const MOST_DONE_QUESTIONS = 50;
export const MOST_RECENT_LINES = 50;
/** Pairs of cookie and token that count; beyond, the oldest goes. */
export const MOST_VISITS = 32;
/** Pages that get live updates at the same time. */
export const MOST_STREAMS = 16;
export const MOST_CONNECTIONS = 64;
/** A wrong code more, and this channel does not answer that question. */
export const WRONG_CODES = 3;
export const LONGEST_OPERATOR_TEXT_CHARACTERS = 10_000;
export const LONGEST_SITE_CHARACTERS = 300;
/** How often the session's status is looked at for pages that watch. */
export const STATUS_EVERY_MS = 1_000;
export const HEADERS_WITHIN_MS = 5_000;
export const REQUEST_WITHIN_MS = 10_000;
/** A browser that was sent here and has not come is not sent again for so long. */
export const OPENING_PAUSE_MS = 30_000;
/** An opener that runs so long has found a browser. */
export const OPENER_WITHIN_MS = 3_000;
/** How long a live session may take to prove that it is one. */
export const PROOF_WITHIN_MS = 2_000;
/** What a timer can hold. */
export const LONGEST_TIMER_MS = 2_147_483_647;
