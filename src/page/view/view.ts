import { LRUCache } from "lru-cache";
import type * as playwright from "playwright-core";
import { Failure } from "../../errors.ts";
import type { Secrets } from "../../masking/masking.ts";
import type { Element, Label, Permit, Ref, Site, TabId, Target } from "../../types.ts";
import type { FrameRecord } from "../../wire/targets.ts";
import type { Wire } from "../../wire/wire.ts";
import type { ElementNow, Identity, World } from "../seen.ts";
import { type Place, selectorOf } from "./engine.ts";
import { inFrame, missed, stale, toFailure } from "./failures.ts";
import { Incomplete } from "./incomplete.ts";
import { ANY_PLACE, type RefTable, type Shown } from "./refs.ts";

/** What a step may still take, and whose clock that is. */
export interface Time {
  readonly totalMs: number;
  remainingMs(): number;
  readonly signal: AbortSignal;
  /**
   * The last view that the model had been given when it made the call (`RefTable.views`); without it the last of all.
   */
  readonly knows?: number | undefined;
}

export interface ViewOptions {
  readonly tab: TabId;
  readonly page: playwright.Page;
  /** The page's target id, which is its main frame's id too. */
  readonly target: string;
  readonly wire: Wire;
  readonly refs: RefTable;
  readonly siteOf: (url: string) => Site | null;
  /** Whether the document of a frame at that address may be shown. */
  readonly mayShow: (url: string) => boolean;
  readonly now: () => number;
  /** Told what secret fields hold, and takes it out of what a look found. */
  readonly secrets: Secrets;
}

/** One document's answer never keeps the others waiting. */
const FRAME_TIMEOUT_MS = 1_500;
/** Whether input was kept from the page is known this soon, unless the input took the page away. */
const DISARM_TIMEOUT_MS = 500;
/** More frames than these are counted, not read. */
export const MAX_FRAMES_READ = 60;
const MAX_NAME_CHARS = 80;
const MAX_DOCUMENTS_TOLD = 1_000;

/** A frame whose isolated world exists, so it can be asked. */
export interface ReadableFrame {
  readonly record: FrameRecord;
  readonly sessionId: string;
  readonly worldId: string;
}

/** One tab as the session works with it: resolves what the model means to what is there now. */
export class View {
  readonly tab: TabId;
  readonly page: playwright.Page;
  readonly target: string;
  readonly wire: Wire;
  readonly refs: RefTable;
  readonly now: () => number;
  readonly secrets: Secrets;
  readonly #siteOf: (url: string) => Site | null;
  /** Which of them a document knows: their version. */
  readonly #secretsTold = new LRUCache<string, number>({ max: MAX_DOCUMENTS_TOLD });
  readonly mayShow: (url: string) => boolean;
  /** What was decided on, for the look right before the act. */
  readonly #meant = new WeakMap<Element, Identity>();

  constructor(options: ViewOptions) {
    this.tab = options.tab;
    this.page = options.page;
    this.target = options.target;
    this.wire = options.wire;
    this.refs = options.refs;
    this.now = options.now;
    this.secrets = options.secrets;
    this.#siteOf = options.siteOf;
    this.mayShow = options.mayShow;
  }

  /** Address of the main frame's document as the browser committed it. */
  get url(): string {
    return this.wire.frame(this.target)?.url ?? "about:blank";
  }

  /** Changes with every new document of the main frame. */
  get document(): string {
    return this.wire.activity.of(this.target).loaderId;
  }

  /** Sites of all its documents: where an input goes that no element says. */
  sites(): readonly (Site | null)[] {
    return [
      ...new Set(
        this.wire
          .frames(this.target)
          .map(({ url }) =>
            /^(?:about:|data:|blob:|)/.exec(url)?.[0] === "" ? this.#siteOf(url) : this.#siteOf(this.url),
          ),
      ),
    ];
  }

  /** Of a document without an address of its own, the site of what holds it. */
  siteOfFrame(record: FrameRecord): Site | null {
    let at: FrameRecord | undefined = record;
    while (at !== undefined && /^(?:about:|data:|blob:|$)/.test(at.url) && at.parentId !== null)
      at = this.wire.frame(at.parentId);
    return at === undefined ? null : this.#siteOf(at.url);
  }

  /** Tells documents what fields of other documents of their site held. Rejects where one does not answer. */
  async tellSecrets(frames: readonly ReadableFrame[], timeoutMs: number): Promise<void> {
    const { version } = this.secrets;
    await Promise.all(
      frames.map(async (frame) => {
        const site = this.siteOfFrame(frame.record);
        const values = site === null ? [] : this.secrets.valuesOf(site);
        if (values.length === 0 || this.#secretsTold.get(frame.worldId) === version) return;
        await this.ask(frame, "knowSecrets", [values], timeoutMs);
        this.#secretsTold.set(frame.worldId, version);
      }),
    );
  }

  siteOf(url: string): Site | null {
    return this.#siteOf(url);
  }

  labelOf(urls: Iterable<string>): Label {
    const sites = new Set<Site>();
    for (const url of urls) {
      const site = this.#siteOf(url);
      if (site !== null) sites.add(site);
    }
    return { sites, private: new Set() };
  }

  /**
   * Frames that can be asked now, parents before children; with `all` also those that may not be shown, to say that
   * they are there. At most `MAX_FRAMES_READ`, but for `every`: what must reach each of them.
   */
  frames(which: "shown" | "all" | "every" = "shown"): readonly ReadableFrame[] {
    const readable: ReadableFrame[] = [];
    for (const record of this.wire.frames(this.target)) {
      if (record.world === null || (which === "shown" && record.parentId !== null && !this.mayShow(record.url)))
        continue;
      readable.push({ record, sessionId: record.sessionId, worldId: record.world.uniqueId });
      if (which !== "every" && readable.length === MAX_FRAMES_READ) break;
    }
    return readable;
  }

  /** Calls the observer in one document. Rejects with `Failure`. */
  ask(
    frame: { readonly sessionId: string; readonly worldId: string },
    method: string,
    args: readonly unknown[],
    timeoutMs = FRAME_TIMEOUT_MS,
  ): Promise<unknown> {
    return this.wire.callWorld({ sessionId: frame.sessionId, uniqueId: frame.worldId }, method, args, timeoutMs);
  }

  /**
   * The one element that is meant, as it is now. Rejects with `Failure`: no_match, ambiguous, stale.
   * The first of many is never taken.
   */
  async resolve(target: Target, time: Time): Promise<Element> {
    return target.by === "ref" ? this.#byRef(target.ref, time) : this.#byRole(target, time);
  }

  /**
   * How many elements are meant now; a stale ref counts as none. Rejects when the browser has ended or the page does
   * not answer.
   */
  async count(target: Target, time: Time): Promise<number> {
    if (target.by === "role") return (await this.#matches(target, time)).length;
    try {
      await this.#byRef(target.ref, time);
      return 1;
    } catch (error) {
      const failure = toFailure(error, { deadlineMs: time.totalMs });
      if (failure.code === "browser_ended" || failure.code === "timeout") throw failure;
      return 0;
    }
  }

  async #byRef(ref: Ref, time: Time): Promise<Element> {
    const entry = this.refs.get(ref);
    if (entry === undefined)
      throw new Failure("no_match", "There is no such ref. Take a snapshot and use a ref it shows.");
    if (entry.tab !== this.tab)
      throw new Failure("stale", `That ref belongs to tab ${entry.tab}. Select that tab first.`);
    const frame = this.frames().find(
      (candidate) => candidate.record.id === entry.frameId && candidate.worldId === entry.worldId,
    );
    if (frame === undefined) throw stale();
    const shown = this.refs.shownAs(ref, time.knows);
    if (shown === undefined)
      throw new Failure("no_match", "That ref was not shown yet. Take a snapshot and use a ref it shows.");
    const now = await this.describe(frame, entry.localId, time);
    if (now === null) return this.#element(ref, frame, await this.#again(ref, frame, shown, time));
    if (!isSame(now, shown)) throw stale();
    return this.#element(ref, frame, now);
  }

  /** The page made the element anew: it is the one thing that looks as it did, where only one thing did. */
  async #again(ref: Ref, frame: ReadableFrame, shown: Shown, time: Time): Promise<ElementNow> {
    const { role, name, place } = shown;
    const ids = shown.alone ? await this.#askOrNull(frame, "refind", [{ role, name, place }], time) : [];
    const [only, more] = Array.isArray(ids) ? (ids as readonly unknown[]) : [];
    if (typeof only !== "number" || more !== undefined) throw stale();
    const now = await this.describe(frame, only, time);
    if (now === null || !isSame(now, shown)) throw stale();
    this.refs.move(ref, only);
    return now;
  }

  async #byRole(target: Extract<Target, { by: "role" }>, time: Time): Promise<Element> {
    const found = await this.#matches(target, time);
    const [only] = found;
    if (only === undefined)
      throw new Failure(
        "no_match",
        "Nothing visible matches that target (0 found). Take a snapshot and use a ref or an exact name from it.",
      );
    if (found.length > 1)
      throw new Failure(
        "ambiguous",
        `${found.length} elements match that target. Use a ref, or add: in "text of its row or section".`,
      );
    const now = await this.describe(only.frame, only.id, time);
    if (now === null) throw stale();
    return this.#element(this.refFor(only.frame, now), only.frame, now);
  }

  async #matches(
    target: Extract<Target, { by: "role" }>,
    time: Time,
  ): Promise<readonly { readonly frame: ReadableFrame; readonly id: number }[]> {
    const args = target.within === undefined ? [target.role, target.name] : [target.role, target.name, target.within];
    const found = await Promise.all(
      this.frames().map(async (frame, index) => {
        const ids = await this.#askOrNull(frame, "match", args, time).catch((error: unknown) => {
          // A frame that does not answer is passed over; the page itself must.
          if (index > 0 && Failure.is(error) && error.code === "timeout") return null;
          throw error;
        });
        return (Array.isArray(ids) ? ids : []).flatMap((id) => (typeof id === "number" ? [{ frame, id }] : []));
      }),
    );
    return found.flat();
  }

  refFor(frame: ReadableFrame, element: { readonly id: number }): Ref {
    return this.refs.refOf({ tab: this.tab, frameId: frame.record.id, worldId: frame.worldId, localId: element.id });
  }

  /** What an element is now; null when it or its document is gone. */
  async describe(frame: ReadableFrame, localId: number, time: Time): Promise<ElementNow | null> {
    return (await this.#askOrNull(frame, "describe", [localId], time)) as ElementNow | null;
  }

  /**
   * Does one act with the locator of an element. Without a permit there is none: every act goes through the guard. The
   * element is looked at once more, and its document keeps the input from the page should it have become another when
   * the input comes, or should the input go to another element. No other document of the page takes any meanwhile.
   * Rejects with `Failure`.
   */
  async act<Result>(
    element: Element,
    permit: Permit,
    time: Time,
    work: (locator: playwright.Locator) => Promise<Result>,
  ): Promise<Result> {
    permit.take();
    const { frame, localId } = this.place(element.ref);
    const meant = this.#meant.get(element) ?? { role: element.role, name: element.name, place: "" };
    const before = this.document;
    return this.#alone(frame, time, async () => {
      const now = (await this.#askOrNull(
        frame,
        "arm",
        [localId, meant, time.remainingMs() + FRAME_TIMEOUT_MS],
        time,
      )) as ElementNow | null;
      if (now === null || !isSame(now, meant)) throw stale();
      const [done] = await Promise.allSettled([
        this.#locator(frame, { document: now.document, id: localId }, time).then(work),
      ]);
      const { became, elsewhere } = await this.#disarm(frame, before);
      if (became === "kept") throw stale();
      if (became === "elsewhere") throw await this.#focusWentTo(frame, elsewhere, time);
      if (became === "stray" && done.status === "fulfilled") throw missed();
      if (done.status === "rejected") throw done.reason;
      return done.value;
    });
  }

  /**
   * Does what goes to one document, or to those that may be shown, while the others take no input. Rejects with
   * `covered` where one would have.
   */
  async #alone<Result>(only: ReadableFrame | null, time: Time, work: () => Promise<Result>): Promise<Result> {
    const activity = this.wire.activity.of(this.target);
    activity.armed = true;
    const shown = new Set(this.frames().map(({ worldId }) => worldId));
    const isOther = ({ worldId }: ReadableFrame): boolean =>
      only === null ? !shown.has(worldId) : worldId !== only.worldId;
    try {
      await this.tellSecrets(this.frames("every"), Math.min(FRAME_TIMEOUT_MS, time.remainingMs())).catch(() => {
        // One that does not answer takes no input either.
      });
      // One that cannot be told may take what is meant for another.
      await Promise.all(
        this.frames("every")
          .filter(isOther)
          .map((frame) => this.#askOrNull(frame, "bar", [time.remainingMs() + FRAME_TIMEOUT_MS], time)),
      );
      return await work();
    } finally {
      activity.armed = false;
      const kept = await Promise.all(
        this.frames("every").map((frame) =>
          isOther(frame) ? this.ask(frame, "free", [], DISARM_TIMEOUT_MS).catch(() => false) : false,
        ),
      );
      // biome-ignore lint/correctness/noUnsafeFinally: says more than what the act came to
      if (kept.includes(true)) throw inFrame();
    }
  }

  /**
   * Presses a key where the focus is: no other document takes it, nor one that may not be shown. What has the focus may
   * be anything, and change as it likes.
   */
  async pressInFocus(focus: Element | null, permit: Permit, time: Time, press: () => Promise<void>): Promise<void> {
    permit.take();
    await this.#alone(focus === null ? null : this.place(focus.ref).frame, time, press);
  }

  /** Takes the focus back from what may not be shown, where a key has led it. */
  async leaveHidden(): Promise<void> {
    const shown = this.frames();
    const hidden = this.frames("every").filter(({ worldId }) => !shown.some((frame) => frame.worldId === worldId));
    const has = await Promise.all(
      hidden.map((frame) => this.ask(frame, "hasFocus", [], DISARM_TIMEOUT_MS).catch(() => true)),
    );
    if (has.includes(true))
      await Promise.all(shown.map((frame) => this.ask(frame, "leaveFrame", [], DISARM_TIMEOUT_MS).catch(() => null)));
  }

  async #focusWentTo(frame: ReadableFrame, localId: number | undefined, time: Time): Promise<Failure> {
    const now = localId === undefined ? null : await this.describe(frame, localId, time).catch(() => null);
    const what =
      "The keys would have gone to another element than the target, and were kept from it: the target does not take the focus, or the page moved it.";
    if (now === null) return new Failure("covered", `${what} Take a snapshot and use the field or button itself.`);
    const ref = this.refFor(frame, now);
    this.refs.show([[ref, { role: now.role, name: now.name, place: now.place, alone: false }]]);
    return new Incomplete("covered", what, {
      focus: { ref, role: now.role, ...(now.name !== "" && { name: now.name.slice(0, MAX_NAME_CHARS) }) },
    });
  }

  async #locator(frame: ReadableFrame, place: Place, time: Time): Promise<playwright.Locator> {
    const owners: Place[] = [];
    for (
      let record: FrameRecord | undefined = frame.record;
      record !== undefined && record.parentId !== null;
      record = this.wire.frame(record.parentId)
    ) {
      const owner = await this.wire.ownerOf(record, Math.min(FRAME_TIMEOUT_MS, time.remainingMs()));
      if (owner === null) throw stale();
      owners.push(owner);
    }
    const outermost = owners.pop();
    if (outermost === undefined) return this.page.locator(selectorOf(place));
    let holder = this.page.locator(selectorOf(outermost)).contentFrame();
    for (const owner of owners.reverse()) holder = holder.locator(selectorOf(owner)).contentFrame();
    return holder.locator(selectorOf(place));
  }

  /** What became of the input. One that took the document away, or starts to, has reached it. */
  async #disarm(frame: ReadableFrame, before: string): Promise<ReturnType<World["disarm"]>> {
    const activity = this.wire.activity.of(this.target);
    const leaving = (): boolean => activity.navigation !== null || activity.loaderId !== before;
    const reached = { became: "reached" } as const;
    if (leaving()) return reached;
    const over = new AbortController();
    try {
      return await Promise.race([
        this.ask(frame, "disarm", [], DISARM_TIMEOUT_MS) as Promise<ReturnType<World["disarm"]>>,
        this.wire.activity.until(this.target, leaving, DISARM_TIMEOUT_MS, over.signal).then(() => reached),
      ]);
    } catch {
      return reached;
    } finally {
      over.abort();
    }
  }

  /** Frame and local id of a ref of this tab. Throws stale. */
  place(ref: Ref): { readonly frame: ReadableFrame; readonly localId: number } {
    const entry = this.refs.get(ref);
    const frame =
      entry === undefined ? undefined : this.frames().find((candidate) => candidate.worldId === entry.worldId);
    if (entry === undefined || frame === undefined) throw stale();
    return { frame, localId: entry.localId };
  }

  async #askOrNull(frame: ReadableFrame, method: string, args: readonly unknown[], time: Time): Promise<unknown> {
    try {
      return await this.ask(frame, method, args, Math.min(FRAME_TIMEOUT_MS, time.remainingMs()));
    } catch (error) {
      const failure = toFailure(error, { deadlineMs: time.totalMs });
      if (failure.code === "browser_ended" || failure.code === "timeout") throw failure;
      return null;
    }
  }

  #element(ref: Ref, frame: ReadableFrame, now: ElementNow): Element {
    const element: Element = {
      ref,
      tab: this.tab,
      document: frame.record.loaderId as Element["document"],
      frame: frame.record.id,
      site: this.#siteOf(frame.record.url),
      role: now.role,
      name: now.name,
      within: now.within,
      href: now.href,
      field: now.field,
      form: now.form,
    };
    this.#meant.set(element, { role: now.role, name: now.name, place: now.place });
    return element;
  }
}

const isSame = (now: Identity, shown: Identity): boolean =>
  now.role === shown.role && now.name === shown.name && (shown.place === ANY_PLACE || now.place === shown.place);
