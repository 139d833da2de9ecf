import type { OpenArgs, Run } from "./command.ts";

export const run: Run<OpenArgs> = async () => {
  throw new Error("open is not there yet");
};
