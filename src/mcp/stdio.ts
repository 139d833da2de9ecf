import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { HeldCalls } from "./held.ts";
import { lazySession, type SessionOffer } from "./lazy.ts";
import type { ResultsMode } from "./result.ts";
import { createServer, type ServerInfo } from "./server.ts";
import { oneLine } from "./text.ts";

/**
 * Clients close stdin, send SIGTERM after 2 s and SIGKILL after 4 s: done before the last, with or without the session.
 */
const CLOSE_LIMIT_MS = 3_000;
/** A client that sends nothing but garbage must not fill a log. */
const LOGGED_STREAM_ERRORS = 20;
const LOG_LINE_MAX_CHARACTERS = 500;

export interface StdioOptions extends SessionOffer {
  readonly info: ServerInfo;
  /** Default `both`. */
  readonly results?: ResultsMode;
}

function logLine(line: string): void {
  process.stderr.write(`chaperone: ${oneLine(line).slice(0, LOG_LINE_MAX_CHARACTERS)}\n`);
}

/**
 * Stdout belongs to the protocol: what a library prints goes to stderr. A client that does not read our stderr must not
 * end us.
 */
function keepStdoutClean(): void {
  const toStderr = console.error.bind(console);
  console.log = toStderr;
  console.info = toStderr;
  console.debug = toStderr;
  process.stderr.on("error", () => {});
}

/**
 * Serves one session to one MCP client on this process's stdio: revision 2026-07-28 and the 2025 ones, whichever the
 * client opens with. The session opens at the first call. Calls are passed on as they come; the session queues them.
 * When stdin ends, stdout breaks or SIGTERM, SIGINT, SIGHUP come, running calls are aborted, the session is closed
 * within 3 s and the process exits with 0. Lines that are not JSON-RPC are ignored; a message beyond 10 MB ends the
 * connection, and with it the process, in the same clean way.
 */
export function serveStdioSession(options: StdioOptions): void {
  keepStdoutClean();
  const session = lazySession(options, logLine);
  const transport = new StdioServerTransport();
  let streamErrors = 0;
  const held = new HeldCalls(() => performance.now());
  const handle = serveStdio(
    ({ era }) => createServer(session, { info: options.info, results: options.results, era, held }),
    {
      transport,
      onerror: (error) => {
        streamErrors += 1;
        // The error's own words may quote what the client sent, values to type included: only its kind is logged.
        if (streamErrors <= LOGGED_STREAM_ERRORS) logLine(`a message on stdio could not be used (${error.name})`);
      },
    },
  );

  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    const limit = setTimeout(() => {
      logLine("the session did not close in time");
      process.exit(0);
    }, CLOSE_LIMIT_MS);
    try {
      await handle.close();
      held.close();
      await session.close();
    } catch (error) {
      logLine(`the session did not close cleanly: ${error instanceof Error ? error.message : String(error)}`);
    }
    clearTimeout(limit);
    process.exit(0);
  };

  // serveStdio has put its own listener there and offers no other way to hear of the end.
  const tornDown = transport.onclose;
  transport.onclose = () => {
    tornDown?.();
    void end();
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void end());
}
