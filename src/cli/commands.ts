import { ConfigError, readStorageState } from "../config/index.ts";
import { httpPlace } from "../mcp/http/place.ts";
import type {
  AllowArgs,
  Command,
  ConsoleArgs,
  ExplainArgs,
  Given,
  McpArgs,
  OpenArgs,
  OwnOption,
  SessionArgs,
} from "./command.ts";
import { ledgerArgs, ledgerOptions } from "./ledger-args.ts";
import { requestOf } from "./request.ts";

const LONGEST_WAIT_SECONDS = 3_600;
const LONGEST_SHOWN_CHARACTERS = 60;

const STORAGE_STATE: OwnOption = {
  name: "--storage-state",
  argument: "FILE",
  does: "Begins with the cookies and localStorage of this file, as Playwright saves them; as good as a password, so keep it to yourself (mode 0600)",
};

/** Every command there is. One is added together with its file. */
export const commands: readonly Command[] = [
  {
    name: "mcp",
    does: "MCP server on stdio, or over HTTP",
    face: "mcp",
    words: [],
    options: [
      STORAGE_STATE,
      {
        name: "--http",
        argument: "[HOST:]PORT",
        does: "Serves Streamable HTTP at /mcp of this port, 0 for a free one: on loopback unless HOST says otherwise, and always with a bearer token, each of which is one browser session. Tokens are those of --http-token-file or CHAPERONE_HTTP_TOKEN, else one is made and left in a file that stderr names",
      },
      {
        name: "--http-token-file",
        argument: "FILE",
        does: "With --http: takes the bearer tokens of this file (mode 0600), one a line",
      },
    ],
    prepare: ({ options }) => {
      const args = mcpArgs(options);
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
  {
    name: "explain",
    does: "what the policy says of requests, rule by rule, without a browser: an address each, or 'METHOD KIND ADDRESS'",
    face: "mcp",
    words: ["REQUEST..."],
    options: [
      { name: "--from", argument: "URL", does: "the page that asks; without it the agent opens each by its address" },
      { name: "--json", does: "prints a JSON object a line" },
    ],
    prepare: (given) => {
      const args = explainArgs(given);
      return async (config, io) => (await import("./explain.ts")).run(config, args, io);
    },
  },
  {
    name: "ledger",
    does: "checks or shows the record of a session: verify FILE, show FILE, receipt FILE RECEIPT, verify-receipt FILE",
    face: "mcp",
    words: ["ACTION", "FILE..."],
    options: ledgerOptions,
    prepare: (given) => {
      const args = ledgerArgs(given);
      return async (config, io) => (await import("./ledger.ts")).run(config, args, io);
    },
  },
  {
    name: "allow",
    does: "adds a site to the scope in the user's configuration file (or that of --config)",
    face: "mcp",
    words: ["SITE"],
    options: [],
    prepare: ({ words, configFile }) => {
      const args: AllowArgs = { site: words[0] ?? "", configFile };
      return async (config, io) => (await import("./allow.ts")).run(config, args, io);
    },
  },
  {
    name: "console",
    does: "opens the page where a person sees and answers what the live sessions of this user ask",
    face: "mcp",
    words: [],
    options: [
      { name: "--session", argument: "ID", does: "only this session" },
      {
        name: "--print",
        does: "prints the address in place of opening it; it opens once and is as good as a password",
      },
    ],
    prepare: ({ options }) => {
      const args: ConsoleArgs = { print: options.has("--print"), session: textOf(options, "--session") };
      return async (_config, io) => (await import("./console.ts")).run(args, io);
    },
  },
  {
    name: "doctor",
    does: "checks browser, sandbox, proxy, record and configuration, lets the browser test itself, and says how to mend what is wrong",
    face: "mcp",
    words: [],
    options: [{ name: "--json", does: "prints one JSON object" }],
    prepare: ({ options }) => {
      const args = { json: options.has("--json") };
      return async (config, io, sources) => (await import("./doctor.ts")).run(config, args, io, sources);
    },
  },
  {
    name: "install",
    does: "installs a Chromium where the platform allows it (as root on Debian, by its own package), else says the line to run",
    face: "mcp",
    words: [],
    options: [],
    prepare: () => async (config, io) => (await import("./install.ts")).run(config, io),
  },
];

function explainArgs({ words, options }: Given): ExplainArgs {
  const requests = words.map((text) => {
    const request = requestOf(text);
    if (request === null)
      throw new ConfigError(
        `a request is an address, perhaps with a method and a kind before it ('POST data https://shop.test/'), got ${JSON.stringify(text.slice(0, LONGEST_SHOWN_CHARACTERS))}`,
      );
    return request;
  });
  return { requests, from: textOf(options, "--from"), json: options.has("--json") };
}

function mcpArgs(options: Given["options"]): McpArgs {
  const http = textOf(options, "--http");
  const httpTokenFile = textOf(options, "--http-token-file");
  if (http === null && httpTokenFile !== null) throw new ConfigError("--http-token-file belongs to --http");
  return { ...sessionArgs(options), http: http === null ? null : httpPlace(http), httpTokenFile };
}

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
