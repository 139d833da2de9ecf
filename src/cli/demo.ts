import type { NoArgs, Run } from "./command.ts";

export const run: Run<NoArgs> = async () => {
  throw new Error("demo is not there yet");
};
