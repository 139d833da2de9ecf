import { vi } from "vitest";
import { chromiumProgram } from "./chromium-program.ts";

/**
 * In a run whose Chromium is named, every session of a test has it. The library takes nothing from the environment, so
 * it is put before all places where a browser is looked for; tests of those places have a root of their own and see
 * nothing of it.
 */
vi.mock("../src/browser/candidates.ts", async (original) => {
  const { browserCandidates } = await original<typeof import("../src/browser/candidates.ts")>();
  return {
    browserCandidates: (options: Parameters<typeof browserCandidates>[0]) => [
      ...(options.root === "" ? [{ path: chromiumProgram(), source: "named" }] : []),
      ...browserCandidates(options),
    ],
  };
});
