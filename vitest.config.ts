import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They take minutes: begun last, they would run alone at the end. */
const LONG = [
  "arena/arena.test.ts",
  "test/hostile/pages.test.ts",
  "arena/effects.test.ts",
  "arena/benign/",
  "test/second-site.test.ts",
  "test/channels.test.ts",
];

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((path) => moduleId.includes(`/${path}`));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "sites/**/*.test.ts", "arena/**/*.test.ts"],
    globalSetup: "test/global-setup.ts",
    setupFiles: process.env.CHAPERONE_BROWSER === undefined ? [] : ["test/named-browser.ts"],
    reporters: ["default", "./test/summary-reporter.ts"],
    sequence: { sequencer: LongOnesFirst },
    pool: "forks",
    maxWorkers: 2,
    retry: 0,
    // A busy machine is no failure: what hangs is ended, what is slow is not.
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
