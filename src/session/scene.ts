import type { Failure } from "../errors.ts";
import type { Waiting } from "../guard/index.ts";
import type { CallId } from "../types.ts";
import type { Deadline } from "./deadline.ts";
import type { Plan } from "./performed.ts";

/** How an act is made. */
export interface ActTerms {
  readonly mark: number;
  readonly quiet: boolean;
  readonly asked: readonly CallId[];
  readonly answered: (waiting: Waiting) => Promise<void>;
}

/** One act, from before it to what it came to. */
export interface Scene<Fields> {
  /** Those whose requests are asked about together with its own, itself included. */
  readonly calls: readonly CallId[];
  readonly plan: Plan<Fields>;
  readonly time: Deadline;
  readonly mark: number;
  readonly quiet: boolean;
  /** When the act began. */
  readonly since: number;
  /** The document and the address that were there. */
  readonly before: string | null;
  readonly urlBefore: string | null;
  readonly failedBefore: number;
  fields: Fields | null;
  failure: Failure | null;
}
