import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import { ALONE } from "./runs.ts";

/**
 * Ends the output with how to run each test alone that failed, and with one plain line that counts, for runners that
 * read it.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const alone = new Set<string>();
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      // What stands outside of the tests, or around them, fails the file.
      const around = [module, ...module.children.allSuites()].filter((part) => part.errors().length > 0);
      if (around.length > 0) alone.add(`${ALONE} ${file}`);
      if (module.state() === "failed" && module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "pending" ? "skipped" : state] += 1;
        if (state === "failed") alone.add(commandFor(file, namesOf(test)));
      }
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    const again =
      alone.size > 0
        ? `\nEach of these runs alone with:\n${[...alone].map((command) => `  ${command}\n`).join("")}`
        : "";
    process.stdout.write(`${again}\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  }
}

/** From the outermost suite to the test. */
function namesOf(test: TestCase): readonly string[] {
  const names = [test.name];
  for (let part = test.parent; part.type === "suite"; part = part.parent) names.unshift(part.name);
  return names;
}

/**
 * vitest takes a pattern, over the names with a space between them; a shell leaves what is in single quotes as it is.
 */
export function commandFor(file: string, names: readonly string[]): string {
  const pattern = names
    .join(" ")
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replaceAll(/['\p{Cc}]+/gu, "[^]+");
  return `${ALONE} ${file} -t '^${pattern}$'`;
}
