import type { TestContext } from "vitest";
import { ALONE } from "./runs.ts";

/** What happened in a test that judges by what came to a server. */
export interface Failure {
  readonly scenario: string;
  readonly expected: string;
  /** What came to a server, one a line. */
  readonly received: readonly string[];
}

/** Most that a message shows of what arrived. */
const SHOWN = 20;

/**
 * For the message of an `expect`: the scenario, what was expected, what a server received, and how to run that one
 * alone.
 */
export function failure(task: TestContext["task"], { scenario, expected, received }: Failure): string {
  const more = received.length > SHOWN ? [`and ${received.length - SHOWN} more`] : [];
  return [
    scenario,
    `  expected: ${expected}`,
    `  received: ${received.length === 0 ? "nothing" : ""}`.trimEnd(),
    ...[...received.slice(0, SHOWN), ...more].map((line) => `    ${line}`),
    `  alone:    ${alone(task.file.name, task.fullTestName)}`,
    "",
  ].join("\n");
}

/** The command that runs one test alone; `name` as vitest gives it, with ` > ` between a suite and what is in it. */
export function alone(file: string, name: string): string {
  const pattern = name
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll(" > ", ".+");
  return `${ALONE} ${file} -t '${pattern.replaceAll("'", "'\\''")}$'`;
}
