import { fileURLToPath } from "node:url";
import { runDemo } from "../demo/demo.ts";
import type { NoArgs, Run } from "./command.ts";
import { EXIT } from "./exit.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/chaperone.mjs", import.meta.url));

const CODES = { done: EXIT.done, failed: EXIT.failed, no_browser: EXIT.noBrowser } as const;

export const run: Run<NoArgs> = async (config, _args, io) => {
  const outcome = await runDemo({ config, write: (text) => void io.stdout.write(text), command: ["node", PROGRAM] });
  return CODES[outcome];
};
