import { ConfigError, readStorageState } from "../config/index.ts";
import type { Command, Given, OpenArgs, OwnOption, SessionArgs } from "./command.ts";

const LONGEST_WAIT_SECONDS = 3_600;

const STORAGE_STATE: OwnOption = {
  name: "--storage-state",
  argument: "FILE",
  does: "Begins with the cookies and localStorage of this file, as Playwright saves them; as good as a password, so keep it to yourself (mode 0600)",
};

/** Every command there is. One is added together with its file. */
export const commands: readonly Command[] = [
  {
    name: "mcp",
    does: "MCP server on stdio",
    face: "mcp",
    words: [],
    options: [STORAGE_STATE],
    prepare: ({ options }) => {
      const args = sessionArgs(options);
      return async (config, io) => (await import("./mcp.ts")).run(config, args, io);
    },
  },
  {
    name: "open",
    does: "prints what a model would see of a page",
    face: "read",
    words: ["URL"],
    options: [
      { name: "--json", does: "prints the result as JSON" },
      { name: "--screenshot", argument: "FILE", does: "writes a PNG of the page" },
      { name: "--after", argument: "SECONDS", does: "then waits and prints what changed" },
      STORAGE_STATE,
    ],
    prepare: ({ words, options }) => {
      const [url = ""] = words;
      const args: OpenArgs = {
        url,
        json: options.has("--json"),
        screenshot: textOf(options, "--screenshot"),
        afterSeconds: secondsOf(options, "--after"),
        ...sessionArgs(options),
      };
      return async (config, io) => (await import("./open.ts")).run(config, args, io);
    },
  },
  {
    name: "demo",
    does: "a scripted agent does a task on a site of ours, to watch",
    face: "run",
    words: [],
    options: [STORAGE_STATE],
    prepare: ({ options }) => {
      const args = sessionArgs(options);
      return async (config, io) => (await import("./demo.ts")).run(config, args, io);
    },
  },
];

function sessionArgs(options: Given["options"]): SessionArgs {
  const file = textOf(options, STORAGE_STATE.name);
  return { storageState: file === null ? undefined : readStorageState(file) };
}

function textOf(options: Given["options"], name: string): string | null {
  const given = options.get(name);
  if (given === "") throw new ConfigError(`${name} must not be empty`);
  return typeof given === "string" ? given : null;
}

function secondsOf(options: Given["options"], name: string): number | null {
  const text = textOf(options, name);
  if (text === null) return null;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds > 0 && seconds <= LONGEST_WAIT_SECONDS) return seconds;
  throw new ConfigError(`${name} must be a number of seconds above 0, at most ${LONGEST_WAIT_SECONDS}`);
}
