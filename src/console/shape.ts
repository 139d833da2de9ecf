import type { Choice } from "../types.ts";

/** The session as the page shows it. */
export interface ConsoleStatus {
  readonly mode: string;
  readonly profile: string;
  /** Sites in reach. */
  readonly sites: readonly string[];
  /** What was decided lately, latest last. */
  readonly recent: readonly string[];
}

/** All that the page knows: plain words, to be set as text. */
export interface View {
  readonly title: string;
  readonly status: ConsoleStatus;
  readonly open: readonly OpenView[];
  readonly done: readonly { readonly name: string; readonly lines: readonly string[]; readonly outcome: string }[];
}

export interface OpenView {
  readonly id: string;
  readonly digest: string;
  readonly name: string;
  readonly lines: readonly string[];
  /** "No" first. */
  readonly choices: readonly { readonly choice: Choice; readonly word: string; readonly means: string }[];
  readonly code: string | null;
  /** Until it is too late, by our clock. */
  readonly leftMs: number;
}

/** One line of the stream: the session now, or that it has ended. */
export type Told = View | { readonly ended: true };
