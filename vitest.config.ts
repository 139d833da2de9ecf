import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { FULL } from "./test/runs.ts";

/** They take minutes: begun last, they would run alone at the end. */
const LONG = [
  "arena/arena.test.ts",
  "arena/effects.test.ts",
  "arena/holes.test.ts",
  "test/hostile/pages.test.ts",
  "arena/benign/",
  "arena/stories/",
  "arena/effects-mutations.test.ts",
];

/** Pure ones come first: they tell most in the shortest time, and share a process only with their neighbours. */
class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === "pure") return -1;
      const at = LONG.findIndex((path) => moduleId.includes(`/${path}`));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** What a run with a browser that the environment names needs. */
const NAMED_BROWSER = process.env.CHAPERONE_BROWSER === undefined ? [] : ["test/named-browser.ts"];

/**
 * Tests of src/ that start a browser or another process; the rest of it is pure, and so fast that it has a run of its
 * own.
 */
const STARTS_PROCESSES = [
  "src/approval/command.test.ts",
  "src/browser/{account,find,install,launch,sudden-end}.test.ts",
  "src/cli/{console,doctor,install,ledger,main,reach}.test.ts",
  "src/console/*.test.ts",
  "src/ledger/place.test.ts",
  "src/mcp/stdio.test.ts",
  "src/page/observer.test.ts",
  "src/page/{acting,view,pictures}/{act,identity,reach,screenshot}.test.ts",
  "src/proxy/{browser,peers,shared-connection}.test.ts",
  "src/session/attach.test.ts",
  "src/session/self-test/{self-test,unguarded}.test.ts",
  "src/wire/wire.test.ts",
];

/**
 * What repeats a proof at another place, and takes long for it: `npm run test:full` has them. Beside each what holds
 * the same rule on each change.
 */
const IN_THE_FULL_RUN = FULL
  ? []
  : [
      // Hostile pages (test/hostile), and what goes wrong as the other files of the folder try it.
      "test/bad-input/{browser,pages,scripts}.test.ts",
      // Bounds of the queue (approval/queue.test.ts), a flood of inputs (arena/effects.test.ts, A-83 and A-84).
      "test/questions/{expiry,floods}.test.ts",
      // Grants without anybody to ask: the private stories.
      "test/questions/unattended.test.ts",
      // Two tokens: mcp/http/serve.test.ts.
      "test/questions/tokens.test.ts",
      // The back office's task: the same application through the library, in test/questions/decided.test.ts.
      "test/back-office.test.ts",
      // Controls of the self-test, whose channels are those of arena/arena.test.ts.
      "src/session/self-test/unguarded.test.ts",
      // The setup of a clone, which is the first thing that any run does.
      "test/setup.test.ts",
    ];

export default defineConfig({
  test: {
    reporters: ["default", "./test/summary-reporter.ts"],
    sequence: { sequencer: LongOnesFirst },
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: ["src/**/*.test.ts"],
          exclude: STARTS_PROCESSES,
          setupFiles: ["test/properties.ts", "test/no-processes.ts"],
          // They share what they import, which takes longer than they do: none of them changes it. Time that is worked
          // is counted by process.
          pool: "forks",
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "browsers",
          include: [...STARTS_PROCESSES, "test/**/*.test.ts", "sites/**/*.test.ts", "arena/**/*.test.ts"],
          exclude: ["test/soak/**", ...IN_THE_FULL_RUN],
          globalSetup: "test/global-setup.ts",
          setupFiles: ["test/properties.ts", ...NAMED_BROWSER],
          pool: "forks",
          // As above: what they import takes a tenth of the run when each file does it again.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "soak",
          include: ["test/soak/**/*.test.ts"],
          globalSetup: "test/global-setup.ts",
          setupFiles: NAMED_BROWSER,
          pool: "forks",
          // What it measures, others would spoil.
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
    ],
    retry: 0,
    // A busy machine is no failure: what hangs is ended, what is slow is not.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: FULL ? 300_000 : 90_000,
    hookTimeout: 90_000,
  },
});
