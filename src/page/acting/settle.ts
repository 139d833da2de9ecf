import { Failure } from "../../errors.ts";
import type { PageActivity } from "../../wire/activity.ts";
import type { Wire } from "../../wire/wire.ts";

/** Values that worked when measured (facts.md, "Launch"). */
const QUIET_MS = 40;
const ROUND_MS = 400;
const SETTLE_MS = 2_000;
/** After the document is there: how long its own first requests may keep a look waiting. */
const FIRST_REQUESTS_MS = 1_000;
/** How long frames of it that cannot be read yet may keep it waiting, and how often they are looked at. */
const FRAMES_MS = 500;
const FRAMES_LOOK_EVERY_MS = 20;
/** A document that is not whole after this is shown as far as it came. */
const DOCUMENT_MS = 10_000;
/** A navigation that an action starts is announced, if not at the wire, this soon after the page is quiet. */
const GRACE_MS = 30;
/**
 * From the page's announcement to the wire; it may also come to nothing (script of a javascript: address, a download).
 */
const ANNOUNCED_MS = 1_000;

export interface SettleOptions {
  /** Milliseconds left of the call's deadline. */
  readonly remainingMs: () => number;
  readonly now: () => number;
  /** When the action began; requests that were on their way before are the page's own. */
  readonly since: number;
  /** When the page last got something to react to: the action, or the answer that it waited for. */
  readonly stirredAt: number;
  /** The document that was there when the action began; null: the one that is there now. */
  readonly document: string | null;
  /** The page was only read: nothing was started that it could still react to. */
  readonly onlyRead: boolean;
}

/**
 * "held": a navigation waits for a person; nothing more comes before that. "still_loading": a navigation has neither
 * come nor failed, or its document is not whole, when the deadline is over; the tab is kept. "cut": the new document's
 * bytes ended too early.
 */
export type Settled = "settled" | "held" | "still_loading" | "cut";

/** Waits by events, never by guesses at network idleness, until the page has reacted to an action. */
export async function settle(wire: Wire, page: string, options: SettleOptions): Promise<Settled> {
  const activity = wire.activity.of(page);
  const end = options.now() + Math.min(SETTLE_MS, options.remainingMs());
  const document = options.document ?? activity.loaderId;
  // A closed tab has nothing more to wait for.
  const gone = (): boolean => wire.target(page) === undefined;
  for (;;) {
    if (activity.navigation !== null) {
      const isHeld = (): boolean => wire.activity.isNavigationHeld(page);
      if (
        !(await wire.activity.until(
          page,
          () => activity.navigation === null || gone() || isHeld(),
          options.remainingMs(),
        ))
      )
        return "still_loading";
      if (isHeld()) return "held";
    }
    if (gone()) return "settled";
    if (activity.loaderId !== document) return documentStands(wire, page, activity, options);
    const left = Math.min(end - options.now(), options.remainingMs());
    if (left <= 0) return "settled";
    const quiet = await domQuiet(wire, page, Math.min(left, ROUND_MS), options.onlyRead ? "lastChange" : "now");
    if (activity.navigation !== null || activity.loaderId !== document) continue;
    const patience = patienceFor(activity, options);
    if (patience > 0) {
      await wire.activity.next(page, Math.min(patience, end - options.now(), options.remainingMs()));
      continue; // what was answered may be about to change the page
    }
    const due = activity.announcedAt === null ? 0 : ANNOUNCED_MS - (options.now() - activity.announcedAt);
    if (due > 0) {
      await wire.activity.until(
        page,
        () => activity.announcedAt === null || gone(),
        Math.min(due, end - options.now(), options.remainingMs()),
      );
      continue;
    }
    if (quiet && (options.onlyRead || options.now() - options.stirredAt >= GRACE_MS)) return "settled";
  }
}

/** How long the requests that the action started are still worth waiting for, in ms. */
function patienceFor(activity: PageActivity, options: SettleOptions): number {
  let most = 0;
  for (const { id, startedAt, patienceMs, wasHeld } of activity.inFlight.values()) {
    if ((wasHeld || startedAt >= options.since) && !activity.held.has(id))
      most = Math.max(most, patienceMs - (options.now() - startedAt));
  }
  return most;
}

/** The new document is parsed, its own first requests are answered or had their time, and it is quiet. */
async function documentStands(
  wire: Wire,
  page: string,
  activity: PageActivity,
  options: SettleOptions,
): Promise<Settled> {
  const document = activity.loaderId;
  const left = (): boolean =>
    activity.loaderId !== document || activity.navigation !== null || wire.target(page) === undefined;
  const parsed = await wire.activity.until(
    page,
    () => activity.domContentLoaded || activity.broken || left(),
    Math.min(DOCUMENT_MS, options.remainingMs()),
  );
  if (!parsed) return "still_loading";
  await wire.activity.until(
    page,
    () => [...activity.inFlight.keys()].every((id) => activity.held.has(id)) || left(),
    Math.min(FIRST_REQUESTS_MS, options.remainingMs()),
  );
  await framesStand(wire, page, left, options);
  if (!left()) await domQuiet(wire, page, Math.min(ROUND_MS, options.remainingMs()), "now");
  return activity.broken && !left() ? "cut" : "settled";
}

/** A frame that is just moving to another process cannot be read for a moment. */
async function framesStand(wire: Wire, page: string, left: () => boolean, options: SettleOptions): Promise<void> {
  const end = options.now() + Math.min(FRAMES_MS, options.remainingMs());
  const isMoving = (): boolean => wire.frames(page).some(({ world }) => world === null);
  while (isMoving() && !left() && options.now() < end) await wire.activity.next(page, FRAMES_LOOK_EVERY_MS);
}

/** True when the DOM did not change for a while. */
async function domQuiet(wire: Wire, page: string, maxMs: number, from: "now" | "lastChange"): Promise<boolean> {
  const world = wire.frame(page)?.world ?? null;
  const sessionId = wire.frame(page)?.sessionId;
  const activity = wire.activity.of(page);
  if (world === null || sessionId === undefined) {
    await wire.activity.next(page, Math.min(maxMs, QUIET_MS));
    return true;
  }
  const document = activity.loaderId;
  const over = new AbortController();
  try {
    return await Promise.race([
      wire
        .callWorld({ sessionId, uniqueId: world.uniqueId }, "quiet", [QUIET_MS, maxMs, from], maxMs + ROUND_MS)
        .then((quiet) => quiet === true),
      // A navigation suspends the page's scripts: the call above would wait for its deadline.
      wire.activity
        .until(
          page,
          () => activity.navigation !== null || activity.loaderId !== document,
          maxMs + ROUND_MS,
          over.signal,
        )
        .then(() => false),
    ]);
  } catch (error) {
    if (Failure.is(error) && error.code === "browser_ended") throw error;
    return false;
  } finally {
    over.abort();
  }
}
