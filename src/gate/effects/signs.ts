import type { RequestOperation, Slot } from "./facts.ts";
import { isIrreversibleCommand } from "./irreversible.ts";
import { lastKey } from "./shape.ts";
import { IRREVERSIBLE, MADE_FOR_GOOD, NOUNS, PAYMENT_FIELDS } from "./verbs.ts";
import { folded, hasPhrase, isListed, wordList, wordsOf } from "./words.ts";

/** Verbs that are nothing but verbs: whatever else a name says, it orders a change. */
const CHANGES = wordList([
  "create, update, save, add, insert, put, set, edit, modify, change, replace, move, rename, assign, apply, submit, write, store, upsert, patch, upload, import, restore, reset, enable, disable, toggle, mark, unmark, close, reopen",
  "delete, remove, destroy, erase, purge, wipe, clear, drop, trash, archive, unarchive, truncate, kill, execute, exec, run, query, sql, batch, start, stop, restart, reboot, shutdown, install, uninstall, approve, reject, accept, decline",
  "pay, buy, purchase, checkout, donate, send, resend, publish, unpublish, share, unshare, revoke, deploy, rollback, deactivate, activate, terminate, unsubscribe, mutation, mutate, rotate, regenerate, ban, unban, block, unblock, mute",
  "logout, signout, register, enroll, promote, demote, impersonate, submit, confirm, cancel, authorize, authorise, consent, sync, commit, merge, fork, clone, copy, duplicate, lock, unlock, reindex, checkin, check in, check out",
]);

/** Commitments and what speaks for a person, as first or last word of what is to be done. */
const COMMITS = wordList([
  "book, reserve, vote, upvote, downvote, rsvp, follow, unfollow, subscribe, unsubscribe, report, order, message, reply, comment, post, tweet, repost, retweet, apply, register, enroll, join, leave, bid, pledge, endorse, rate, review, flag",
  "checkout, checkouts, refund, transfer, withdraw, deposit, payout, invite, promote, demote, impersonate, share, unshare, ban, unban, suspend, unsuspend, disable, activate, deactivate, archive, close, reset, rotate, transition",
  "cancel, confirm, accept, decline, submit order, create booking, make reservation, add member, add user, add key, add hook, create token, create key, create hook, create webhook, change role, set role, change password, change email",
]);

/** Verbs that are things as well: at the end of a path they order something only behind an id (`/films/12/review`). */
const THINGS: ReadonlySet<string> = new Set("comment review post reply share rate flag archive leave".split(" "));
/** What a page does to what it shows (`/filters/apply`). */
const OF_A_VIEW: ReadonlySet<string> = new Set("close reset apply rating".split(" "));

/** To make one of these commits somebody. */
const COMMITMENTS: ReadonlySet<string> = new Set(
  "order book reply comment review bookings booking reservations reservation appointments appointment votes rsvps follows subscriptions memberships registrations registration enrollments pledges bids".split(
    " ",
  ),
);

/** Slots whose value is power, money, or somebody else, in lower case without punctuation. */
const SERIOUS_SLOTS: ReadonlySet<string> = new Set(
  (
    "role roles roleid rolename permission permissions privilege privileges isadmin admin superuser isstaff acl accesslevel visibility public private ispublic isprivate published ispublished scopes " +
    "recipient recipients payee beneficiary iban bic swift accountnumber routingnumber sortcode amount amountcents cardnumber cvc cvv " +
    "webhook webhookurl hookurl callbackurl apikey sshkey publickey privatekey newpassword passwordconfirmation password2 newemail transferto sendto sharewith inviteemail invitees members owner ownerid newowner"
  ).split(" "),
);
const RECIPIENT_SLOTS: ReadonlySet<string> = new Set("to cc bcc email emails torecipients address assignee".split(" "));
/** Slots that say what becomes of a thing, and the words that cannot be taken back. */
const STATE_SLOTS: ReadonlySet<string> = new Set(
  "status state action visibility messagedisposition disposition transition decision".split(" "),
);
const STATE_WORDS = wordList([
  "publish, published, public, delete, deleted, trash, trashed, remove, removed, cancel, cancelled, canceled, paid, pay, sent, send, approved, approve, rejected, refund, refunded, archived, closed, terminated, active, suspended, banned, merged",
]);
const GONE =
  /^(?:deleted ?items|trash|recycle ?bin|bin|spam|junk|papierkorb|corbeille|papelera|корзина|휴지통|ゴミ箱|回收站)$/;
/** Fields under which an address is meant to be written to. */
const MAIL = /[^\s@]@[^\s@]+\.[^\s@]/;
const MAX_SLOT_CHARS = 200;

/** Whether a name orders a change, by any word of it: `getAndDelete`, `saveQuery`. */
export function ordersChange(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => isListed(CHANGES, word)) || hasPhrase(CHANGES, words);
}

/** Whether a name of an operation says that something is at stake: as a verb, first or last in it. */
export function isSeriousVerb(name: string): boolean {
  if (isIrreversibleCommand(name)) return true;
  const words = wordsOf(name);
  if (words.length === 0 || words.length > MAX_VERB_WORDS) return false;
  const first = words[0] ?? "";
  const last = words.at(-1) ?? "";
  if (isListed(COMMITS, first) || hasPhrase(COMMITS, words)) return true;
  // `getOrder`, `list_reviews`: what is read, unless another word of it orders something.
  return (
    isListed(COMMITS, last) &&
    !(LOOKS_FIRST.has(first) && THINGS_TOO.has(last) && !words.slice(1, -1).some((word) => isListed(CHANGES, word)))
  );
}

const MAX_VERB_WORDS = 6;
const LOOKS_FIRST: ReadonlySet<string> = new Set(
  "get list find fetch load search view read show count lookup".split(" "),
);
const THINGS_TOO: ReadonlySet<string> = new Set(
  "order report message comment post review reply rate book bid vote checkout transfer deposit refund tweet".split(" "),
);

/** Which of its names say that something is at stake. Null: none does. */
export function seriousVerbOf({ method }: { readonly method: string }, operation: RequestOperation): string | null {
  if (method.toUpperCase() === "DELETE") return "DELETE";
  for (const { at, name } of operation.verbs)
    if (at !== "stored" && !(at === "path" && isThingAtEnd(name, operation)) && isSeriousVerb(name)) return name;
  // Further up the path such a word is a section (`/orders/12/notes`), unless it is nothing but a verb.
  for (const segment of operation.path.slice(0, -1))
    if (isIrreversibleCommand(segment) && !isThing(segment)) return segment;
  // `/checkout/submit`: two of them together.
  if (hasPhrase(IRREVERSIBLE, operation.path.slice(-2).flatMap(wordsOf))) return operation.path.slice(-2).join(" ");
  const last = (operation.path.at(-1) ?? "").toLowerCase();
  const isMade =
    MADE_FOR_GOOD.has(last) || WEAKENS.has(withoutSigns(last)) || (method === "POST" && COMMITMENTS.has(last));
  return method !== "PATCH" && isMade && operation.verbs.every(({ at }) => at === "path") ? last : null;
}

/** What guards an account, and where its mail and money go: to write there changes it. */
const WEAKENS: ReadonlySet<string> = new Set(
  "mfa 2fa twofactor totp recovery recoverycodes forwarding forwarders forwardingaddresses passkey passkeys webauthn topup payoutmethod payoutmethods paymentmethods autopay".split(
    " ",
  ),
);

function withoutSigns(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

/** At the end of a path, a word that names what is there, or what a POST makes one of. */
function isThingAtEnd(segment: string, { hasIdBefore }: RequestOperation): boolean {
  const [word = "", ...others] = wordsOf(segment);
  return others.length === 0 && (OF_A_VIEW.has(word) || (THINGS.has(word) && !hasIdBefore));
}

/** A section of an address as well as a verb: `/order/12/notes`. */
function isThing(segment: string): boolean {
  const [word = "", ...others] = wordsOf(segment);
  return others.length === 0 && (NOUNS.has(word) || THINGS.has(word) || OF_A_VIEW.has(word));
}

/**
 * The same for what a read carries, where a state or a place is what is looked for: power, money and somebody else are
 * not.
 */
export function isSeriousInRead({ name, value }: Slot): boolean {
  if (value === "" || /^header /.test(name) || LOOKED_FOR.test(name)) return false;
  const key = lastKey(name);
  if (PAYMENT_FIELDS.has(key) || IN_NO_READ.has(key)) return true;
  return RECIPIENT_SLOTS.has(key) && key !== "address" && MAIL.test(folded(value.slice(0, MAX_SLOT_CHARS)));
}

/** Of an address, under one of these, or one end of a range: what is looked for. */
const LOOKED_FOR =
  /^\?|filter|where|query|search|criteria|facet|variables|params|sort|order|(?:^|[._[])(?:min|max|gte|lte)(?:[._\]]|$)/i;
const IN_NO_READ: ReadonlySet<string> = new Set(
  (
    "role isadmin admin superuser isstaff recipient recipients payee beneficiary iban bic swift accountnumber routingnumber sortcode amount amountcents webhookurl callbackurl " +
    "newpassword passwordconfirmation password2 newemail transferto sendto sharewith inviteemail invitees newowner outcome"
  ).split(" "),
);

/** Whether a slot says to whom, whatever its value: another one is another recipient. */
export function isRecipientSlot(name: string): boolean {
  return RECIPIENT_SLOTS.has(lastKey(name));
}

/**
 * Whether a slot by its name and value puts something at stake. `isKnown`: the page sent that value there by itself.
 */
export function isSeriousSlot({ name, value }: Slot, isKnown: boolean): boolean {
  if (isKnown || value === "") return false;
  if (name.startsWith("header ")) return isSeriousHeader(name.slice("header ".length));
  const key = lastKey(name);
  if (PAYMENT_FIELDS.has(key) || SERIOUS_SLOTS.has(key)) return true;
  const short = folded(value.slice(0, MAX_SLOT_CHARS));
  if (RECIPIENT_SLOTS.has(key) && key !== "email" && key !== "emails" && MAIL.test(short)) return true;
  // Where things go to be gone.
  if (GONE.test(short)) return true;
  return STATE_SLOTS.has(key) && wordsOf(short).some((word) => isListed(STATE_WORDS, word));
}

/** Headers have in front what they belong to: `X-Amount`, `x-shop-new-owner`. A key in one is the sender's own. */
function isSeriousHeader(name: string): boolean {
  const words = name.toLowerCase().split(/[^a-z\d]+/);
  return words.some((_, at) => {
    const key = words.slice(at).join("");
    return PAYMENT_FIELDS.has(key) || (SERIOUS_SLOTS.has(key) && !OF_THE_SENDER.has(key));
  });
}

const OF_THE_SENDER: ReadonlySet<string> = new Set(
  "apikey sshkey publickey privatekey scopes public private".split(" "),
);
