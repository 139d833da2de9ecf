import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, HTTP_TOKEN_VARIABLE, isSomebodyElses } from "../../config/index.ts";

const MOST_TOKENS = 32;
const TOKEN_BYTES = 32;
const LARGEST_FILE_BYTES = 65_536;
const OTHERS_MAY = 0o077;
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** What may stand behind `Bearer`, long enough not to be guessed. */
const TOKEN = /^[\w.~+/-]{16,512}=*$/;

/**
 * The tokens that the operator gave: of the file, else of the variable; null when there is neither. Throws ConfigError,
 * which shows none.
 */
export function givenTokens(
  file: string | null,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] | null {
  if (file !== null) return checked(readPrivate(file).split(/\r?\n/), file);
  const variable = env[HTTP_TOKEN_VARIABLE];
  return variable === undefined || variable === "" ? null : checked(variable.split(","), HTTP_TOKEN_VARIABLE);
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Writes a token of ours where only this user can read it, for the server on that port. */
export function keepToken(token: string, directory: string, port: number): { readonly path: string; remove(): void } {
  const path = join(directory, `mcp-http-${port}.token`);
  mkdirSync(directory, { recursive: true, mode: DIRECTORY_MODE });
  // Not into what somebody else has put there.
  rmSync(path, { force: true });
  writeFileSync(path, `${token}\n`, { flag: "wx", mode: FILE_MODE });
  return { path, remove: () => rmSync(path, { force: true }) };
}

function checked(lines: readonly string[], source: string): readonly string[] {
  const tokens = lines.map((line) => line.trim()).filter((line) => line !== "");
  const wrong = tokens.findIndex((token) => !TOKEN.test(token));
  if (wrong >= 0)
    throw new ConfigError(
      `${source}: token ${wrong + 1} must have 16 to 512 characters of letters, digits and - . _ ~ + /`,
    );
  if (new Set(tokens).size < tokens.length) throw new ConfigError(`${source}: a token is there twice`);
  if (tokens.length === 0 || tokens.length > MOST_TOKENS)
    throw new ConfigError(`${source}: must hold 1 to ${MOST_TOKENS} tokens, has ${tokens.length}`);
  return tokens;
}

function readPrivate(path: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    throw new ConfigError(`${path}: cannot be read (${codeOf(error)})`, { cause: error });
  }
  try {
    const stats = fstatSync(descriptor);
    const { mode, size } = stats;
    if (isSomebodyElses(stats))
      throw new ConfigError(`${path}: belongs to another user, who can change it: chown it to the one that runs this`);
    if (process.platform !== "win32" && (mode & OTHERS_MAY) !== 0)
      throw new ConfigError(`${path}: others may read or change it: chmod 600`);
    if (size > LARGEST_FILE_BYTES) throw new ConfigError(`${path}: larger than ${LARGEST_FILE_BYTES} bytes`);
    return readFileSync(descriptor, "utf8");
  } catch (error) {
    if (ConfigError.is(error)) throw error;
    throw new ConfigError(`${path}: cannot be read (${codeOf(error)})`, { cause: error });
  } finally {
    closeSync(descriptor);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
}
