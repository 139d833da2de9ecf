import type { CallGuard } from "../guard/index.ts";
import type { CallId, Site } from "../types.ts";
import type { BrowserOwner } from "./browser-owner.ts";
import type { EventStream } from "./events.ts";
import type { Executor } from "./executor.ts";
import type { Turn } from "./line.ts";
import type { RequestLog } from "./requests.ts";
import type { Untold } from "./untold.ts";

export interface RunnerOptions {
  readonly guard: Omit<CallGuard, "holds" | "show">;
  readonly siteOf: (url: string) => Site | null;
  /** Milliseconds since 1970, as questions have them. */
  readonly clock: () => number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly actionTimeoutMs: number;
  readonly navigationTimeoutMs: number;
  /** How long a call waits for a person before it answers `pending`; default 45 s. */
  readonly patienceMs?: number | undefined;
}

/** What of the session a call works with. */
export interface Workshop {
  readonly browser: BrowserOwner;
  readonly executor: Executor;
  readonly events: EventStream;
  readonly requests: RequestLog;
  readonly untold: Untold;
}

/** Where a call stands among the others. */
export interface Standing {
  /** Given up while somebody is asked; null: the call keeps it. */
  readonly turn: Turn | null;
  /** Refs that the model knew when it made the call. */
  readonly knows: number;
  /** The calls of its batch before it; its own is added. */
  readonly batch: CallId[];
}
