import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "sites/**/*.test.ts", "arena/**/*.test.ts"],
    globalSetup: "test/global-setup.ts",
    reporters: ["default", "./test/summary-reporter.ts"],
    pool: "forks",
    maxWorkers: 2,
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
