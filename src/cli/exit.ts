import { ConfigError } from "../config/index.ts";
import { Failure } from "../errors.ts";

/** How the process ends. */
export const EXIT = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  refused: 3,
  budgetSpent: 4,
  noBrowser: 5,
  personNeeded: 6,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** For the help and the docs. */
export const exitCodes: readonly { readonly code: ExitCode; readonly means: string }[] = [
  { code: EXIT.done, means: "done" },
  { code: EXIT.failed, means: "failed" },
  { code: EXIT.wrongUse, means: "wrong use: an unknown or wrong command, option, variable or configuration" },
  { code: EXIT.refused, means: "refused by policy" },
  { code: EXIT.budgetSpent, means: "budget spent" },
  { code: EXIT.noBrowser, means: "no browser" },
  { code: EXIT.personNeeded, means: "a person is needed" },
];

/** For what a command threw. */
export function exitCodeOf(error: unknown): ExitCode {
  if (ConfigError.is(error)) return EXIT.wrongUse;
  return Failure.is(error) && error.code === "no_browser" ? EXIT.noBrowser : EXIT.failed;
}
