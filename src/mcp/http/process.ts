import { ConfigError } from "../../config/index.ts";
import type { CallableSession } from "../../types.ts";
import type { ResultsMode } from "../result.ts";
import type { ServerInfo } from "../server.ts";
import { oneLine } from "../text.ts";
import { isLoopback } from "./hosts.ts";
import type { HttpPlace } from "./place.ts";
import { serveHttp } from "./serve.ts";
import { keepToken, newToken } from "./token-source.ts";

/** Whoever sends SIGTERM seldom waits longer than 10 s. */
const CLOSE_LIMIT_MS = 8_000;
const LOG_LINE_MAX_CHARACTERS = 500;

export interface HttpProcess {
  readonly place: HttpPlace;
  /** Null: one is made and kept in a file of the state directory while the process runs. */
  readonly tokens: readonly string[] | null;
  readonly stateDirectory: string;
  readonly info: ServerInfo;
  readonly results: ResultsMode;
  readonly idleMs: number | null;
  /** A session of its own for that token. */
  openSession(token: number, port: number): CallableSession | Promise<CallableSession>;
  readonly stderr: { write(text: string): unknown };
}

/**
 * Serves until SIGTERM, SIGINT or SIGHUP, then ends all sessions and resolves. Throws ConfigError when it cannot listen
 * there.
 */
export async function serveHttpProcess(options: HttpProcess): Promise<void> {
  const { place, tokens, stateDirectory, stderr } = options;
  const log = (line: string): void =>
    void stderr.write(`chaperone: ${oneLine(line).slice(0, LOG_LINE_MAX_CHARACTERS)}\n`);
  // A log that nobody reads any more must not end us.
  process.stderr.on("error", () => {});
  const token = tokens === null ? newToken() : null;
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => resolve());
  });
  const face = await serveHttp({ ...options, ...place, tokens: token === null ? (tokens ?? []) : [token], log }).catch(
    (error: unknown) => {
      throw ConfigError.is(error)
        ? error
        : new ConfigError(`--http: cannot listen there (${codeOf(error)})`, { cause: error });
    },
  );
  let kept: ReturnType<typeof keepToken> | null = null;
  try {
    if (token !== null) kept = keepToken(token, stateDirectory, face.port);
    const host = place.host.includes(":") ? `[${place.host}]` : place.host;
    log(
      `MCP over HTTP at http://${host}:${face.port}/mcp${kept === null ? "" : `, its bearer token is in ${kept.path}`}`,
    );
    if (!isLoopback(place.host))
      log("other machines can reach this address, and nothing on the way is encrypted: put TLS in front of it");
    await ended;
  } finally {
    kept?.remove();
    const limit = setTimeout(() => {
      log("the sessions did not close in time");
      process.exit(0);
    }, CLOSE_LIMIT_MS);
    await face.close();
    clearTimeout(limit);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error);
}
