import { fileURLToPath } from "node:url";
import { runDemo } from "../demo/demo.ts";
import type { Run, SessionArgs } from "./command.ts";
import { EXIT } from "./exit.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/chaperone.mjs", import.meta.url));

const CODES = { done: EXIT.done, failed: EXIT.failed, no_browser: EXIT.noBrowser } as const;

export const run: Run<SessionArgs> = async (config, { storageState }, io) => {
  const outcome = await runDemo({
    config,
    storageState,
    write: (text) => void io.stdout.write(text),
    command: ["node", PROGRAM],
  });
  return CODES[outcome];
};
