import { packageVersion } from "../config/index.ts";
import { serveStdioSession } from "../mcp/stdio.ts";
import { openToolbox } from "../tools/open.ts";
import type { Run, SessionArgs } from "./command.ts";

/** Serves until the client leaves: the face ends the process itself. */
export const run: Run<SessionArgs> = (config, { storageState }) => {
  const session = openToolbox(config, { storageState });
  serveStdioSession({
    tools: session.tools,
    instructions: session.instructions,
    openSession: () => session,
    info: { name: "chaperone", version: packageVersion() },
    results: config.results,
  });
  return new Promise(() => {});
};
