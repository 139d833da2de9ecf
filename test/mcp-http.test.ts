import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { main } from "../src/cli/main.ts";
import { provenEnvironment } from "./child-environment.ts";
import { recordingServer } from "./servers.ts";

const PROGRAM = fileURLToPath(new URL("../bin/chaperone.mjs", import.meta.url));
const TOKENS = ["first-token-of-the-test", "second-token-of-the-test"];
const BROWSER_LIMIT_MS = 90_000;

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "chaperone-http-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | null>;
  stderr(): string;
  /** Its address, once it serves. */
  readonly url: Promise<URL>;
}

function start(args: readonly string[], env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [PROGRAM, "mcp", ...args], { env: { ...provenEnvironment(state), ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  const url = new Promise<URL>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
      const served = /at (http:\S+\/mcp)/.exec(err)?.[1];
      if (served !== undefined) resolve(new URL(served));
    });
    child.on("exit", () => reject(new Error(err)));
  });
  url.catch(() => {});
  return { child, exited: once(child, "exit").then(([code]) => code as number | null), stderr: () => err, url };
}

type Call = (name: string, args: Record<string, unknown>) => Promise<unknown>;

async function modern(url: URL, token: string): Promise<Call> {
  const client = new Client({ name: "stock", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  );
  onTestFinished(() => client.close());
  return (name, args) => client.callTool({ name, arguments: args });
}

async function legacy(url: URL, token: string): Promise<Call> {
  const client = new OldClient({ name: "stock", version: "1" });
  const transport = new OldTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  onTestFinished(() => client.close());
  return (name, args) => client.callTool({ name, arguments: args });
}

const kept = (): readonly string[] => readdirSync(join(state, "chaperone")).filter((name) => name.endsWith(".token"));

describe("chaperone mcp --http", () => {
  it("makes a token, says where it is and never what, and leaves nothing after SIGTERM", async () => {
    const program = start(["--http", "0", "--approve", "none"]);
    const url = await program.url;
    const path = /token is in (\S+)/.exec(program.stderr())?.[1] ?? "";
    const token = readFileSync(path, "utf8").trim();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(program.stderr()).not.toContain(token);
    expect(readFileSync(`/proc/${program.child.pid}/cmdline`, "utf8")).not.toContain(token);
    expect(await (await modern(url, token))("wait_for", { nothing: 1 })).toMatchObject({
      structuredContent: { error: { code: "bad_arguments" } },
    });
    expect(
      (await fetch(url, { method: "POST", body: "{}", headers: { "content-type": "application/json" } })).status,
    ).toBe(401);
    program.child.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    expect(kept()).toEqual([]);
    await expect(fetch(url)).rejects.toThrow();
  });

  it(
    "two tokens are two browsers that know nothing of each other, and SIGTERM ends both",
    async () => {
      await using server = await recordingServer();
      server.on("/", (request, response) =>
        response.setHeader("content-type", "text/html").end(`<h1>Cookie: ${request.headers.cookie ?? "none"}</h1>`),
      );
      server.html("/in", "<h1>In</h1>", { "set-cookie": "who=ada" });
      const program = start(["--http", "0", "--private", "localhost", "--approve", "none"], {
        CHAPERONE_HTTP_TOKEN: TOKENS.join(","),
      });
      const url = await program.url;
      const [ada, sameAsAda, eve] = [
        await modern(url, TOKENS[0] ?? ""),
        await legacy(url, TOKENS[0] ?? ""),
        await legacy(url, TOKENS[1] ?? ""),
      ];
      await ada("navigate", { url: `${server.url}/in` });
      expect(JSON.stringify(await sameAsAda("navigate", { url: `${server.url}/` }))).toContain("who=ada");
      expect(JSON.stringify(await eve("navigate", { url: `${server.url}/` }))).toContain("Cookie: none");
      // Loopback is open to them, but for the port that they are served from.
      const own = JSON.stringify(await ada("navigate", { url: url.href }));
      expect(own).toContain('"isError":true');
      expect(own).not.toContain("Requests of web pages are refused");
      const ofOurs = (): readonly string[] =>
        readdirSync("/proc")
          .filter((name) => /^\d+$/.test(name))
          .flatMap((name) => {
            try {
              const environment = readFileSync(`/proc/${name}/environ`, "utf8");
              const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
              // The browsers must not have the tokens that their server was given.
              if (command.includes("--user-data-dir=")) expect(environment).not.toContain("token-of-the-test");
              const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1]);
              return parent === program.child.pid ? [name] : [];
            } catch (error) {
              if (error instanceof Error && "code" in error) return [];
              throw error;
            }
          });
      const children = ofOurs();
      expect(children.length).toBeGreaterThanOrEqual(2);
      program.child.kill("SIGTERM");
      expect(await program.exited).toBe(0);
      await expect.poll(() => children.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 5_000 }).toEqual([]);
    },
    BROWSER_LIMIT_MS,
  );

  it.each<[string, () => readonly string[], Record<string, string>, RegExp]>([
    ["a file that others may read", () => ["--http", "0", "--http-token-file", tokenFile(0o644)], {}, /chmod 600/],
    [
      "a file that is not there",
      () => ["--http", "0", "--http-token-file", join(state, "nothing")],
      {},
      /cannot be read/,
    ],
    [
      "a token that is short",
      () => ["--http", "0"],
      { CHAPERONE_HTTP_TOKEN: "hunter2" },
      /must have 16 to 512 characters/,
    ],
    ["tokens without HTTP", () => ["--http-token-file", tokenFile(0o600)], {}, /belongs to --http/],
    ["no port", () => ["--http", "soon"], {}, /--http must be a port/],
    ["an address that is not here", () => ["--http", "192.0.2.7:0"], {}, /cannot listen there \(EADDRNOTAVAIL\)/],
    [
      "one record for two sessions",
      () => ["--http", "0", "--ledger", join(state, "one.jsonl")],
      { CHAPERONE_HTTP_TOKEN: TOKENS.join(",") },
      /a record of its own/,
    ],
    [
      "a variable that is mistyped",
      () => ["--http", "0"],
      { CHAPERONE_HTTP_TOKENS: "x" },
      /unknown environment variable CHAPERONE_HTTP_TOKENS/,
    ],
  ])("%s is wrong use", async (_, args, env, words) => {
    let said = "";
    const out = { write: (text: string) => (said += text) };
    expect(
      await main(["mcp", ...args()], {
        stdout: out,
        stderr: out,
        env: { XDG_STATE_HOME: state, XDG_CONFIG_HOME: state, ...env },
      }),
    ).toBe(2);
    expect(said).toMatch(words);
    expect(said).not.toMatch(/hunter2|token-of-the-test/);
  });

  it("wrong use ends the process", async () => {
    const program = start(["--http", "soon"]);
    expect(await program.exited).toBe(2);
    expect(program.stderr()).toMatch(/--http must be a port/);
  });

  it("takes the tokens of a file, before those of the variable", async () => {
    const program = start(["--http", "localhost:0", "--http-token-file", tokenFile(0o600)], {
      CHAPERONE_HTTP_TOKEN: "another-token-of-the-test",
    });
    const url = await program.url;
    expect(await (await legacy(url, TOKENS[1] ?? ""))("wait_for", {})).toMatchObject({ isError: true });
    await expect(legacy(url, "another-token-of-the-test")).rejects.toThrow();
    program.child.kill("SIGINT");
    expect(await program.exited).toBe(0);
  });

  function tokenFile(mode: number): string {
    const path = join(state, "tokens");
    writeFileSync(path, TOKENS.join("\n"));
    chmodSync(path, mode);
    return path;
  }
});
