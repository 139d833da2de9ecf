import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Config } from "../config/index.ts";
import { Failure } from "../errors.ts";
import type { Command, Given } from "./command.ts";
import { commands } from "./commands.ts";
import { main } from "./main.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-cli-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly given: Given | null;
  readonly config: Config | null;
}

/** Runs a command line whose commands only note what they were given. */
async function run(
  argv: readonly string[],
  options: { readonly env?: Record<string, string>; readonly ends?: () => Promise<number> } = {},
): Promise<Ran> {
  let out = "";
  let err = "";
  let given: Given | null = null;
  let config: Config | null = null;
  const noting: readonly Command[] = commands.map((command) => ({
    ...command,
    prepare: (what) => {
      command.prepare(what);
      given = what;
      return async (loaded) => {
        config = loaded;
        return options.ends?.() ?? 0;
      };
    },
  }));
  const io = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    env: { XDG_CONFIG_HOME: directory, ...options.env },
  };
  const code = await main(argv, io, noting);
  return { code, out, err, given, config };
}

const version = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;

describe("what is understood", () => {
  it("options become configuration", async () => {
    const argv =
      "mcp --private http://127.0.0.1:3000 --private=localhost --headed --no-sandbox --browser /bin/chromium --results text --max-content-tokens=1000 --ledger /l --idle-minutes 0.5";
    const { code, err, config } = await run(argv.split(" "));
    expect([code, err]).toEqual([0, ""]);
    expect(config).toMatchObject({
      private: ["http://127.0.0.1:3000", "localhost"],
      browser: { path: "/bin/chromium", headless: false, sandbox: false },
      results: "text",
      maxContentTokens: 1000,
      ledger: { file: "/l" },
      idleMinutes: 0.5,
    });
  });

  it("no option leaves the defaults of the command's face", async () => {
    expect((await run(["mcp"])).config).toMatchObject({ idleMinutes: 30, browser: { headless: true, sandbox: true } });
    expect((await run(["open", "http://x"])).config).toMatchObject({ idleMinutes: undefined });
  });

  it("own words and options go to the command", async () => {
    const { given } = await run(["open", "--json", "http://x/", "--after", "1.5", "--screenshot=a.png", "--headed"]);
    expect(given?.words).toEqual(["http://x/"]);
    expect([...(given?.options ?? [])]).toEqual([
      ["--json", true],
      ["--screenshot", "a.png"],
      ["--after", "1.5"],
    ]);
    expect((await run(["open", "--", "--json"])).given).toEqual({
      words: ["--json"],
      options: new Map(),
      configFile: null,
    });
  });

  it("variables and files count, flags first", async () => {
    mkdirSync(join(directory, "chaperone"));
    writeFileSync(
      join(directory, "chaperone/config.yaml"),
      "actionTimeoutMs: 1\nnavigationTimeoutMs: 1\nmaxContentTokens: 600\n",
    );
    const { config } = await run(["mcp", "--action-timeout", "3"], {
      env: { CHAPERONE_ACTION_TIMEOUT: "2", CHAPERONE_NAVIGATION_TIMEOUT: "2" },
    });
    expect(config).toMatchObject({ actionTimeoutMs: 3, navigationTimeoutMs: 2, maxContentTokens: 600 });
    const other = join(directory, "other.json");
    writeFileSync(other, `{ "maxContentTokens": 700 }`);
    expect((await run(["mcp", "--config", other])).config).toMatchObject({
      maxContentTokens: 700,
      actionTimeoutMs: 5000,
    });
  });
});

describe("wrong use is one line that names it, and exit 2", () => {
  const cases: readonly [string, RegExp][] = [
    ["mpc", /unknown command 'mpc' \(Did you mean mcp\?\)/],
    ["run task", /unknown command 'run'/],
    ["mcp --headd", /unknown option '--headd' \(Did you mean --headed\?\)/],
    ["mcp --alow shop.test", /unknown option '--alow'/],
    ["mcp --teach answers", /unknown option '--teach'/],
    ["mcp --mode write", /--mode must be read or act, got "write"/],
    ["mcp --approve me", /--approve must be a list, each console, elicitation, terminal, command:… or none, got "me"/],
    ["mcp -x", /unknown option '-x'/],
    ["mcp --__proto__ x", /unknown option '--__proto__'/],
    ["mcp extra", /too many arguments for 'mcp'/],
    ["mcp --json", /unknown option '--json'/],
    ["open", /missing required argument 'URL'/],
    ["open a b", /too many arguments/],
    ["open a --results text", /unknown option '--results'/],
    ["open a --after", /option '--after <SECONDS>' argument missing/],
    ["open a --after soon", /--after must be a number of seconds above 0/],
    ["open a --after -1", /--after must be a number of seconds above 0/],
    ["open a --after 1 --after 2", /--after is given 2 times: give it once/],
    ["open a --screenshot --json", /--screenshot needs an argument, got the option --json/],
    ["open a --screenshot=", /--screenshot must not be empty/],
    ["mcp --private", /option '--private <ORIGIN\|localhost>' argument missing/],
    [
      "mcp --private shop",
      /--private must be a list, each localhost or an origin such as http:\/\/127.0.0.1:3000, got "shop"/,
    ],
    ["mcp --headed=yes", /--headed/],
    ["mcp --browser a --browser b", /--browser is given 2 times/],
    ["mcp --config", /--config <FILE>/],
    ["mcp --config=", /--config needs FILE/],
    ["mcp --config /nonexistent/c.json", /\/nonexistent\/c.json: no such file/],
    ["mcp --config a --config b", /--config is given 2 times/],
    ["--headed mcp", /--headed goes after the command: chaperone COMMAND --headed/],
    ["--nothing mcp", /unknown option '--nothing'/],
    ["help nothing", /unknown command 'nothing'/],
    ["--", /a command is missing/],
  ];
  it.each(cases)("chaperone %s", async (line, expected) => {
    const { code, out, err, config } = await run(line.split(" "));
    expect(err).toMatch(expected);
    expect(err).toMatch(/^chaperone: .*\n$/);
    expect([code, out, config]).toEqual([2, "", null]);
  });

  it("in variables too", async () => {
    const { code, err } = await run(["mcp"], { env: { CHAPERONE_HEADLESS: "1" } });
    expect([code, err]).toEqual([2, "chaperone: unknown environment variable CHAPERONE_HEADLESS\n"]);
  });

  it("no command at all prints the help on stderr", async () => {
    const { code, out, err } = await run([]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Usage: chaperone");
  });
});

describe("help and version", () => {
  it.each([["--version"], ["mcp", "--help"], ["--help"], ["-h"], ["help"], ["help", "open"]])(
    "%s %s",
    async (...argv) => {
      const { code, out, err, config } = await run(argv.filter((word) => word !== undefined));
      expect([code, err, config]).toEqual([0, "", null]);
      expect(out).toMatch(argv[0] === "--version" ? /^\d+\.\d+\.\d+\n$/ : /Usage: chaperone/);
    },
  );

  it("names every command, option and exit code", async () => {
    const { out } = await run(["--help"]);
    for (const { name } of commands) expect(out).toContain(`  ${name}`);
    expect(out).toMatch(/5 {2}no browser/);
    expect((await run(["mcp", "--help"])).out).toMatch(
      /--private <ORIGIN\|localhost>[\s\S]*--no-sandbox[\s\S]*--config <FILE>/,
    );
  });

  it("works as an installed program", () => {
    const ran = spawnSync(
      process.execPath,
      [fileURLToPath(new URL("../../bin/chaperone.mjs", import.meta.url)), "--version"],
      { encoding: "utf8" },
    );
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, `${version}\n`, ""]);
  });
});

describe("how a command ends", () => {
  it.each([
    ["its own code", async () => 6, 6, ""],
    ["an error", () => Promise.reject(new Error("no\ngood")), 1, "chaperone: no good\n"],
    [
      "no browser",
      () => Promise.reject(new Failure("no_browser", "No browser here.")),
      5,
      "chaperone: No browser here.\n",
    ],
    ["another failure", () => Promise.reject(new Failure("timeout", "Too slow.")), 1, "chaperone: Too slow.\n"],
    ["not even an error", () => Promise.reject("odd"), 1, "chaperone: odd\n"],
  ])("%s", async (_, ends, code, err) => {
    const ran = await run(["demo"], { ends });
    expect([ran.code, ran.err]).toEqual([code, err]);
  });
});
