import { mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../src/cli/main.ts";
import { openSession } from "../src/index.ts";
import { ledgerReceipt, verifyLedger, verifyReceipt } from "../src/ledger/index.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

const CHANGES = 60;

let directory = "";
let server: RecordingServer;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-ledger-session-"));
  server = await recordingServer();
  const form = (path: string): string =>
    `<form method=post action=/${path}><input name=what value=kettle><button>${path}</button></form>`;
  server.html(
    "/",
    `<h1>Shop</h1>${["order", "cancel", "granted"].map(form).join("")}<script>fetch("http://10.0.0.1/")</script>`,
  );
  for (const path of ["order", "cancel", "granted"]) server.html(`/${path}`, `<h1>${path} done</h1>`);
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Record {
  readonly kind: string;
  readonly receipt?: string;
  readonly verdict?: string;
  readonly url?: string;
  readonly rule?: string;
  readonly decidedBy?: string;
}

function recordsOf(file: string): readonly Record[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): Record => JSON.parse(line));
}

const posts = (): readonly string[] => server.hits.filter(({ method }) => method === "POST").map(({ path }) => path);

test("every receipt of a session is in its ledger, and what left is what it says", async () => {
  server.clear();
  const session = await openSession({
    private: [server.url],
    effects: { allow: [{ site: server.host, method: "POST", path: "/granted", max: 1 }] },
    approve: async ({ lines }) => ({ answer: lines.some((line) => line.includes("/order")) ? "once" : "no" }),
    ledger: { file: join(directory, "session.jsonl") },
  });
  const receipts: string[] = [];
  const call = async (...[tool, args]: Parameters<typeof session.call>): Promise<void> => {
    const { envelope } = await session.call(tool, args);
    if (envelope.receipt !== undefined) receipts.push(envelope.receipt);
  };
  for (const path of ["order", "cancel", "granted", "granted"]) {
    await call("navigate", { url: `${server.url}/` });
    await call("click", { target: `button "${path}"` });
  }
  await call("navigate", { url: "http://169.254.169.254/" });
  await call("snapshot", {});
  await session.close();

  const result = await verifyLedger(session.ledgerFile);
  expect(result.bad).toBe(null);
  expect(result).toMatchObject({ isClosed: true, openIntents: [] });
  const records = recordsOf(session.ledgerFile);
  expect(receipts.length).toBe(10);
  expect(new Set(receipts).size).toBe(10);
  expect(receipts.filter((receipt) => !records.some((record) => record.receipt === receipt))).toEqual([]);
  for (const receipt of receipts) {
    const proof = await ledgerReceipt(session.ledgerFile, receipt);
    expect(
      typeof proof === "string" ? proof : await verifyReceipt(JSON.parse(JSON.stringify(proof)), proof.publicKey),
    ).toMatchObject({ record: { receipt } });
  }
  const gone = records.filter(
    ({ kind, verdict, decidedBy }) => kind === "request" && verdict === "allow" && decidedBy !== "gate",
  );
  expect(gone.map(({ url, decidedBy }) => [new URL(url ?? "").pathname, decidedBy])).toEqual([
    ["/order", "approver"],
    ["/granted", "operator"],
  ]);
  expect(posts()).toEqual(["/order", "/granted"]);
  expect(records.some(({ kind }) => kind === "browser")).toBe(true);
});

test.each([
  ["deleted", unlinkSync],
  ["cut", (file: string) => truncateSync(file, 10)],
])("A-137: with its ledger %s, a session does nothing any more", async (_what, spoil) => {
  server.clear();
  await using session = await openSession({
    private: [server.url],
    approve: async () => ({ answer: "once" }),
    ledger: { file: join(directory, `${spoil.name || "cut"}.jsonl`) },
  });
  await session.call("navigate", { url: `${server.url}/` });
  await session.call("click", { target: 'button "order"' });
  expect(posts()).toEqual(["/order"]);
  await session.call("navigate", { url: `${server.url}/` });
  spoil(session.ledgerFile);
  server.clear();
  for (const [tool, args] of [
    ["click", { target: 'button "order"' }],
    ["navigate", { url: `${server.url}/` }],
    ["snapshot", {}],
  ] as const)
    expect((await session.call(tool, args)).envelope).toMatchObject({ ok: false, refused: { rule: "guard.log" } });
  expect(server.hits).toEqual([]);
});

test("the demo's ledger is right; after any one character is changed it is not, and with its end cut off it says so", async () => {
  const file = join(directory, "demo.jsonl");
  const run = async (...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string }> => {
    let out = "";
    const stdout = { write: (text: string) => (out += text) };
    const code = await main(argv, {
      stdout,
      stderr: stdout,
      env: { XDG_CONFIG_HOME: directory, XDG_STATE_HOME: join(directory, "state") },
    });
    return { code, out };
  };
  await run("demo", "--ledger", file);
  const verified = await run("ledger", "verify", file);
  expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^ok \d+ records$/m) });
  const bytes = readFileSync(file);
  const lines = bytes.toString("utf8").trimEnd().split("\n");
  const changed = join(directory, "changed.jsonl");
  for (let place = 0; place < CHANGES; place++) {
    const at = Math.floor(((place + 0.5) / CHANGES) * bytes.length);
    const copy = Buffer.from(bytes);
    copy[at] = copy[at] === 0x78 ? 0x79 : 0x78;
    writeFileSync(changed, copy);
    const seq = bytes.subarray(0, at).toString("utf8").split("\n").length - 1;
    expect(await run("ledger", "verify", changed)).toMatchObject({
      code: 1,
      out: expect.stringMatching(new RegExp(`^bad seq ${seq}: `)),
    });
  }
  writeFileSync(changed, `${lines.slice(0, -2).join("\n")}\n`);
  expect(await run("ledger", "verify", changed)).toMatchObject({
    code: 1,
    out: expect.stringContaining("lines were cut off"),
  });
  const shown = await run("ledger", "show", file);
  expect(shown).toMatchObject({ code: 0, out: expect.stringContaining("navigate to http://127.0.0.1:") });
}, 120_000);
