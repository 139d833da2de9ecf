import type { NoArgs, Run } from "./command.ts";

export const run: Run<NoArgs> = async () => {
  throw new Error("mcp is not there yet");
};
