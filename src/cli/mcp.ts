import { homedir } from "node:os";
import { type Config, ConfigError, HTTP_TOKEN_VARIABLE, ownStateDirectory, packageVersion } from "../config/index.ts";
import { offerAttended, openAttended } from "./attended.ts";
import type { Io, McpArgs, Run } from "./command.ts";

const MS_PER_MINUTE = 60_000;

/** Serves until the client leaves, where the face ends the process itself; over HTTP until it is told to end. */
export const run: Run<McpArgs> = async (config, args, io) => {
  const { http, storageState } = args;
  if (config.approve.includes("terminal"))
    throw new ConfigError("--approve terminal: a server's terminal is not a person's; use console or elicitation");
  if (http !== null) return serveOverHttp(config, { ...args, http }, io);
  const { serveStdioSession } = await import("../mcp/stdio.ts");
  const attended = { title: "MCP client on stdio", env: io.env, terminal: false };
  serveStdioSession({
    ...offerAttended(config, { storageState }, attended),
    // Clients start processes that only list the tools and go: those leave no record.
    openSession: () => openAttended(config, { storageState, isAnnounced: true }, attended),
    info: { name: "chaperone", version: packageVersion() },
    results: config.results,
  });
  return new Promise(() => {});
};

async function serveOverHttp(
  config: Config,
  args: McpArgs & { readonly http: NonNullable<McpArgs["http"]> },
  { env, stderr }: Io,
): Promise<number> {
  const [{ serveHttpProcess }, { givenTokens }] = await Promise.all([
    import("../mcp/http/process.ts"),
    import("../mcp/http/token-source.ts"),
  ]);
  const tokens = givenTokens(args.httpTokenFile, env);
  // Programs that we start need not have it.
  delete process.env[HTTP_TOKEN_VARIABLE];
  if (tokens !== null && tokens.length > 1 && config.ledger.file !== undefined)
    throw new ConfigError(
      "--ledger names one file, and each token has a session with a record of its own: leave it out, or give one token",
    );
  await serveHttpProcess({
    place: args.http,
    tokens,
    stateDirectory: ownStateDirectory({ platform: process.platform, homedir: homedir(), env }),
    info: { name: "chaperone", version: packageVersion() },
    results: config.results,
    idleMs: config.idleMinutes === undefined ? null : config.idleMinutes * MS_PER_MINUTE,
    openSession: (_token, port) =>
      openAttended(
        config,
        { storageState: args.storageState },
        { title: "MCP client over HTTP", env, terminal: false, ports: [port] },
      ),
    stderr,
  });
  return 0;
}
