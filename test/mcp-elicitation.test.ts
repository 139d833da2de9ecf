import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Sites, startSites } from "../sites/server.mjs";
import { childEnvironment } from "./child-environment.ts";

const PROGRAM = fileURLToPath(new URL("../bin/chaperone.mjs", import.meta.url));
const TOKEN = "the-token-of-the-test";
/** Longer than any program pretends to think. */
const THINKS_MS = 400;
const LOOKS_EVERY_MS = 20;
const LIMIT_MS = 90_000;
const self = { name: "stock", version: "1" };

let sites: Sites;
let state: string;
beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());
beforeEach(() => {
  sites.backOffice.reset();
  state = mkdtempSync(join(tmpdir(), "chaperone-asks-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

interface Answered {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

/** Somebody in front of the client, who answers what `says` says at that time. */
interface Person {
  says: ElicitResult;
  thinksMs: number;
  readonly asked: string[];
}

type Call = (name: string, args?: Record<string, unknown>) => Promise<Answered>;

async function respond(person: Person, params: unknown): Promise<ElicitResult> {
  person.asked.push((params as { message: string }).message);
  const before = sites.backOffice.effects.statusChanges;
  const until = performance.now() + person.thinksMs;
  // Nothing happens while somebody thinks.
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
    if (sites.backOffice.effects.statusChanges !== before) throw new Error("it did not wait");
  }
  return person.says;
}

async function httpAddress(args: readonly string[]): Promise<URL> {
  const child = spawn(process.execPath, [PROGRAM, "mcp", "--http", "0", ...args], { env: { ...childEnvironment(state), CHAPERONE_HTTP_TOKEN: TOKEN } });
  onTestFinished(() => void child.kill("SIGTERM"));
  let err = "";
  return new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
      const served = /at (http:\S+\/mcp)/.exec(err)?.[1];
      if (served !== undefined) resolve(new URL(served));
    });
    child.on("exit", () => reject(new Error(err)));
  });
}

async function connect(generation: string, transport: string, person: Person): Promise<Call> {
  const args = ["--private", sites.backOffice.url, "--approve", "elicitation"];
  const process_ = { command: process.execPath, args: [PROGRAM, "mcp", ...args], env: childEnvironment(state), stderr: "ignore" as const };
  const headers = { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } };
  let call: (name: string, args: Record<string, unknown>) => Promise<unknown>;
  if (generation === "2025") {
    const client = new OldClient(self, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => respond(person, params));
    const wire = transport === "stdio" ? new OldStdio(process_) : new OldHttp(await httpAddress(args), headers);
    await client.connect(wire as Parameters<OldClient["connect"]>[0]);
    onTestFinished(() => client.close());
    call = (name, given) => client.callTool({ name, arguments: given });
  } else {
    const client = new Client(self, { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: {} } });
    client.setRequestHandler("elicitation/create", ({ params }) => respond(person, params));
    await client.connect(transport === "stdio" ? new StdioClientTransport(process_) : new StreamableHTTPClientTransport(await httpAddress(args), headers));
    onTestFinished(() => client.close());
    call = (name, given) => client.callTool({ name, arguments: given });
  }
  return async (name, given = {}) => {
    const result = (await call(name, given)) as { isError?: boolean; content: { text?: string }[]; structuredContent?: Record<string, unknown> };
    return { isError: result.isError === true, text: result.content.map(({ text }) => text ?? "").join("\n"), structured: result.structuredContent ?? {} };
  };
}

const once: ElicitResult = { action: "accept", content: { answer: "once" } };
const no: ElicitResult = { action: "accept", content: { answer: "no" } };

/** Signed in, at an order, with a status chosen and not yet saved. */
async function atTheOrder(call: Call, person: Person): Promise<void> {
  person.says = once;
  await call("navigate", { url: sites.backOffice.url });
  await call("type_text", { target: 'textbox "User"', text: "ada" });
  await call("type_text", { target: 'textbox "Password"', text: "correct-horse" });
  expect((await call("click", { target: 'button "Sign in"' })).text).toContain("CMD-1042");
  await call("click", { target: 'link "View" in "CMD-1042"' });
  expect((await call("select_option", { target: 'combobox "Status"', values: ["Shipped"] })).structured).toMatchObject({ ok: true });
  person.asked.length = 0;
}

describe.each([
  ["2026-07-28", "stdio"],
  ["2025", "stdio"],
  ["2026-07-28", "HTTP"],
  ["2025", "HTTP"],
])("a stock client of revision %s over %s", (generation, transport) => {
  test("the person in front of it decides on a status change", { timeout: LIMIT_MS }, async () => {
    const { effects, url } = sites.backOffice;
    const person: Person = { says: once, thinksMs: THINKS_MS, asked: [] };
    const call = await connect(generation, transport, person);
    await atTheOrder(call, person);
    const save = () => call("click", { target: 'button "Save status"' });

    person.says = no;
    const refused = await save();
    expect(refused.isError).toBe(true);
    expect(effects.statusChanges).toBe(0);
    expect(person.asked).toHaveLength(1);
    const [question = ""] = person.asked;
    expect(question).toContain("POST");
    expect(question).toContain(`${url.replace("http://", "")}`);
    expect(question).toContain("status");
    expect(question).toContain("Shipped");

    // The control, and the counter that counts once.
    person.says = once;
    expect(await save()).toMatchObject({ isError: false, structured: { ok: true, changed: "document" } });
    expect(effects.statusChanges).toBe(1);

    // The same click again is another question, and a client that answers by itself is nobody.
    await call("select_option", { target: 'combobox "Status"', values: ["Shipped"] });
    const before = person.asked.length;
    person.thinksMs = 0;
    expect((await save()).isError).toBe(true);
    expect([person.asked.length, effects.statusChanges]).toEqual([before + 1, 1]);
  });
});
