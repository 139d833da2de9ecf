import type * as playwright from "playwright-core";
import type { CallGuard, EventGuard, RequestGuard } from "../guard/index.ts";
import { BlockTable } from "../page/snapshot/block-table.ts";
import { CursorTable } from "../page/view/cursors.ts";
import { RefTable } from "../page/view/refs.ts";
import type { View } from "../page/view/view.ts";
import { runBatch } from "./batch.ts";
import { BrowserOwner, type BrowserOwnerOptions } from "./browser-owner.ts";
import { Deadline } from "./deadline.ts";
import { EventStream } from "./events.ts";
import { Executor } from "./executor.ts";
import { Line, Turn } from "./line.ts";
import { failed, type Perform, type Performed, type Request } from "./performed.ts";
import { RequestLog } from "./requests.ts";
import { CallRunner } from "./run-call.ts";
import type { RunnerOptions } from "./terms.ts";
import { Untold } from "./untold.ts";

export type { Desk, Perform, Performed, Plan, Request } from "./performed.ts";

export interface SessionOptions extends BrowserOwnerOptions, Omit<RunnerOptions, "guard"> {
  readonly guard: CallGuard & RequestGuard & EventGuard;
  readonly maxContentTokens: number;
}

/** One browser with its tabs, refs and events, and the line of calls that work with it. */
export class Session {
  readonly events = new EventStream();
  readonly requests: RequestLog;
  readonly blocks = new BlockTable();
  readonly cursors = new CursorTable();
  /** A script of the agent's ran in a page: what is promised of values and effects no longer holds. */
  unguarded = false;
  readonly #options: SessionOptions;
  readonly #line = new Line();
  readonly #refs = new RefTable();
  readonly #browser: BrowserOwner;
  readonly #executor: Executor;
  readonly #runner: CallRunner;
  /** So many calls share one result. */
  #sharing = 1;

  constructor(options: SessionOptions) {
    const { events, cursors } = this;
    const requests = new RequestLog(events, options.redact);
    const untold = new Untold(events);
    const browser = new BrowserOwner(options, { events, requests, refs: this.#refs });
    const executor = new Executor({ ...options, requests, cursors, browser, untold });
    this.#options = options;
    this.requests = requests;
    this.#browser = browser;
    this.#executor = executor;
    this.#runner = new CallRunner(options, { browser, executor, events, requests, untold });
  }

  /** What the running call may use of a result. */
  get maxContentTokens(): number {
    return Math.floor(this.#options.maxContentTokens / this.#sharing);
  }

  /** One call from its arguments to what is told of it. Never rejects. While it waits for a person, others run. */
  async perform<Fields>(request: Request<Fields>): Promise<Performed<Fields>> {
    // Calls that wait in line were made before the results of those ahead of them.
    const knows = this.#refs.views;
    const turn = new Turn(this.#line, request.signal);
    try {
      await turn.take();
      return await this.#runner.run(request, { turn, knows, batch: [] });
    } catch (error) {
      return failed(error);
    } finally {
      turn.leave();
    }
  }

  /**
   * So many calls as one, with no other between them: what they cause is asked about together. Rejects with
   * `Failure("cancelled")` when it was given up in line.
   */
  together<Result>(count: number, work: (perform: Perform) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const { guard } = this.#options;
    const batch = { line: this.#line, runner: this.#runner, guard, knows: this.#refs.views, signal };
    return runBatch(batch, async (perform) => {
      // What is shown of the page has the other half.
      this.#sharing = 2 * count;
      try {
        return await work(perform);
      } finally {
        this.#sharing = 1;
      }
    });
  }

  /** A Playwright page under the same guard; its requests have cause `code`. Rejects with `Failure`. */
  async page(): Promise<playwright.Page> {
    const { tabs } = await this.#browser.started();
    this.#browser.causes.codeBegins();
    const { navigationTimeoutMs, now } = this.#options;
    const time = new Deadline({ totalMs: navigationTimeoutMs, kind: "navigation", now });
    return (await time.within(tabs.current())).page;
  }

  /** Ends the browser; nothing of it is left afterwards. Calls in line get `browser_ended`. */
  async close(): Promise<void> {
    await this.#browser.close();
  }

  /** Address and title of a tab, without them where the page may not be shown. */
  shownPage(view: View): Promise<{ readonly title: string; readonly url: string }> {
    return this.#executor.shownPage(view);
  }
}
