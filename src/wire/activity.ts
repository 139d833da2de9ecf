import { Failure } from "../errors.ts";
import { narrow, type WireEvent } from "./connection.ts";

/** One data request on its way: what settling waits for. */
export interface InFlight {
  readonly id: string;
  /** Origin and path: a page that asks the same again and again is polling. */
  readonly place: string;
  readonly startedAt: number;
  /**
   * How long it may be taken for an answer to an action, in ms. 0: the page asks that place by itself, again and again.
   */
  readonly patienceMs: number;
  /** It waited for a person: its answer is awaited, whatever call let it go. */
  readonly wasHeld: boolean;
}

/** What one page is busy with. Counted per document: requests of a document that was left are forgotten with it. */
export interface PageActivity {
  /** The main frame's document. */
  loaderId: string;
  readonly inFlight: Map<string, InFlight>;
  /** How often this document asked each place, and how often of those while nobody acted. */
  readonly placesAsked: Map<string, { all: number; alone: number }>;
  /** A call is acting on the page right now. */
  acting: boolean;
  /** Input is on its way to one of its documents: no other may take it. */
  armed: boolean;
  /** Requests (of that page, or navigations of it) that wait for a person. */
  readonly held: Set<string>;
  /**
   * When the page itself announced a navigation of its main frame that has not reached the wire yet; null when none is
   * due.
   */
  announcedAt: number | null;
  /** A main-frame navigation that has neither committed nor failed. */
  navigation: { readonly requestId: string; readonly url: string } | null;
  domContentLoaded: boolean;
  loaded: boolean;
  /** The document's own bytes ended too early: it will never be whole. */
  broken: boolean;
  /** Navigations that ended without a document: refused, a download, an error. */
  failedNavigations: number;
}

const WAITED_FOR: ReadonlySet<string> = new Set(["XHR", "Fetch", "Script"]);
/** After a request that was held has its answer's head: so long for its body. */
const ANSWERED_PATIENCE_MS = 200;
const MAX_IN_FLIGHT = 500;
const MAX_PLACES = 1_000;
/** A place asked so often may be a poll that only ever started during actions: it gets little patience. */
const OFTEN_ASKED = 3;
const RHYTHM_PATIENCE_MS = 250;
/** From its release on. */
const RELEASED_PATIENCE_MS = 2_000;

/** Follows requests and loads of every page and wakes those who wait for a change. */
export class Activity {
  readonly #pages = new Map<string, PageActivity>();
  readonly #waiters = new Map<string, Set<() => void>>();
  readonly #pageOfRequest = new Map<string, string>();
  readonly #now: () => number;
  #ended = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(page: string): PageActivity {
    const known = this.#pages.get(page);
    if (known !== undefined) return known;
    const fresh: PageActivity = {
      loaderId: "",
      inFlight: new Map(),
      placesAsked: new Map(),
      acting: false,
      armed: false,
      held: new Set(),
      announcedAt: null,
      navigation: null,
      domContentLoaded: false,
      loaded: false,
      broken: false,
      failedNavigations: 0,
    };
    this.#pages.set(page, fresh);
    return fresh;
  }

  forget(page: string): void {
    this.#pages.delete(page);
    this.#wake(page);
    this.#waiters.delete(page);
  }

  /** The browser is gone: whoever waits would wait for the deadline. */
  end(): void {
    this.#ended = true;
    for (const page of [...this.#waiters.keys()]) this.#wake(page);
  }

  /**
   * Resolves at the next change of that page's activity, or when `timeoutMs` is over. Rejects with
   * `Failure("browser_ended")`.
   */
  next(page: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiters.get(page) ?? new Set();
      this.#waiters.set(page, waiters);
      const done = (): void => {
        clearTimeout(timer);
        waiters.delete(done);
        if (this.#ended) reject(browserEnded());
        else resolve();
      };
      const timer = setTimeout(done, this.#ended ? 0 : Math.max(0, timeoutMs));
      waiters.add(done);
    });
  }

  /**
   * True as soon as `test` holds for the page, false when `timeoutMs` is over or `signal` aborts. Rejects with
   * `Failure("browser_ended")`.
   */
  async until(
    page: string,
    test: (activity: PageActivity) => boolean,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const end = this.#now() + timeoutMs;
    const stop = (): void => this.#wake(page);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      while (!test(this.of(page))) {
        const left = end - this.#now();
        if (left <= 0 || signal?.aborted === true) return false;
        await this.next(page, left);
      }
      return true;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  holding(page: string, id: string, isHeld: boolean): void {
    const { held, inFlight } = this.of(page);
    if (isHeld) held.add(id);
    else held.delete(id);
    const released = isHeld ? undefined : inFlight.get(id);
    if (released !== undefined)
      inFlight.set(id, { ...released, startedAt: this.#now(), patienceMs: RELEASED_PATIENCE_MS, wasHeld: true });
    this.#wake(page);
  }

  /** A navigation of the main frame waits for a person: until then the page's scripts stand still. */
  isNavigationHeld(page: string): boolean {
    const { held, navigation } = this.of(page);
    return navigation !== null && held.has(navigation.requestId);
  }

  navigationStarted(page: string, requestId: string, url: string): void {
    const activity = this.of(page);
    activity.announcedAt = null;
    activity.navigation = { requestId, url };
    this.#wake(page);
  }

  /** It will bring no document: refused or given up. */
  navigationFailed(page: string, requestId: string): void {
    const activity = this.of(page);
    if (activity.navigation?.requestId !== requestId) return;
    activity.navigation = null;
    activity.failedNavigations += 1;
    this.#wake(page);
  }

  /** What the page navigated to is saved, or would be. */
  downloads(page: string): void {
    const activity = this.of(page);
    activity.announcedAt = null;
    if (activity.navigation !== null) this.navigationFailed(page, activity.navigation.requestId);
    this.#wake(page);
  }

  /** `page` is the page that the event's session belongs to. */
  event(event: WireEvent, page: string): void {
    const sent = narrow(event, "Network.requestWillBeSent");
    if (sent !== null) {
      if (!WAITED_FOR.has(sent.type ?? "") || sent.redirectResponse !== undefined) return;
      const activity = this.of(page);
      const place = placeOf(sent.request.url);
      const asked = activity.placesAsked.get(place) ?? { all: 0, alone: 0 };
      if (activity.inFlight.size < MAX_IN_FLIGHT) {
        const patienceMs =
          asked.alone > 0 ? 0 : asked.all >= OFTEN_ASKED ? RHYTHM_PATIENCE_MS : Number.POSITIVE_INFINITY;
        activity.inFlight.set(sent.requestId, {
          id: sent.requestId,
          place,
          startedAt: this.#now(),
          patienceMs,
          wasHeld: false,
        });
        this.#pageOfRequest.set(sent.requestId, page);
      }
      if (activity.placesAsked.size < MAX_PLACES || activity.placesAsked.has(place)) {
        activity.placesAsked.set(place, { all: asked.all + 1, alone: asked.alone + (activity.acting ? 0 : 1) });
      }
      return;
    }
    const answered = narrow(event, "Network.responseReceived");
    if (answered !== null) {
      const owner = this.#pageOfRequest.get(answered.requestId) ?? page;
      const { inFlight } = this.of(owner);
      const waited = inFlight.get(answered.requestId);
      // A body that nobody reads never ends; what a page does with the status, it does at once.
      if (waited?.wasHeld === true)
        inFlight.set(waited.id, { ...waited, startedAt: this.#now(), patienceMs: ANSWERED_PATIENCE_MS });
      this.#wake(owner);
      return;
    }
    const ended = narrow(event, "Network.loadingFinished") ?? narrow(event, "Network.loadingFailed");
    if (ended !== null) {
      const owner = this.#pageOfRequest.get(ended.requestId) ?? page;
      this.#pageOfRequest.delete(ended.requestId);
      const activity = this.of(owner);
      if (activity.inFlight.delete(ended.requestId)) this.#wake(owner);
      if (event.method === "Network.loadingFailed") this.navigationFailed(owner, ended.requestId);
      // A document's request has the name of its loader.
      if (event.method === "Network.loadingFailed" && ended.requestId === activity.loaderId) {
        activity.broken = true;
        this.#wake(owner);
      }
      return;
    }
    const navigated = narrow(event, "Page.frameNavigated");
    if (navigated !== null && navigated.frame.parentId === undefined && navigated.frame.id === page) {
      this.#commit(page, navigated.frame.loaderId);
      return;
    }
    const life = narrow(event, "Page.lifecycleEvent");
    if (life !== null && life.frameId === page) {
      const activity = this.of(page);
      if (life.loaderId !== activity.loaderId) return;
      if (life.name === "DOMContentLoaded") activity.domContentLoaded = true;
      else if (life.name === "load") activity.loaded = true;
      else return;
      this.#wake(page);
      return;
    }
    const announced = narrow(event, "Page.frameRequestedNavigation");
    if (announced !== null) {
      if (announced.frameId === page && announced.disposition === "currentTab") this.of(page).announcedAt = this.#now();
      return;
    }
    const within = narrow(event, "Page.navigatedWithinDocument");
    if (within !== null) {
      if (within.frameId === page) this.of(page).announcedAt = null;
      this.#wake(page);
    }
  }

  #commit(page: string, loaderId: string): void {
    const activity = this.of(page);
    if (activity.loaderId === loaderId) return;
    for (const id of activity.inFlight.keys()) this.#pageOfRequest.delete(id);
    activity.inFlight.clear();
    activity.placesAsked.clear();
    activity.loaderId = loaderId;
    activity.announcedAt = null;
    activity.navigation = null;
    activity.domContentLoaded = false;
    activity.loaded = false;
    activity.broken = false;
    this.#wake(page);
  }

  #wake(page: string): void {
    for (const waiter of [...(this.#waiters.get(page) ?? [])]) waiter();
  }
}

function browserEnded(): Failure {
  return new Failure("browser_ended", "The browser has ended. The next call starts a new one.");
}

function placeOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
