import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { root } from "../scripts/freshness.mjs";
import { verifyLedger } from "../src/ledger/index.ts";
import { type Folder, folder, ordinarySession } from "../src/ledger/ledger.fixture.ts";

const CHILD = join(root, "test/ledger-child.mjs");

let it: Folder;
const children: ChildProcess[] = [];
beforeEach(() => {
  it = folder();
});
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
  it[Symbol.dispose]();
});

interface Said {
  readonly opened?: true;
  readonly intent?: true;
  readonly refused?: string;
  readonly written?: number;
}

interface Writer {
  readonly child: ChildProcess;
  /** Its next line. */
  next(): Promise<Said>;
}

function start(what: string, session: string, keyDirectory = join(it.path, "keys")): Writer {
  const child = spawn(process.execPath, [CHILD, what, it.file, keyDirectory, session], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    next: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error("the writer ended without a word");
      return JSON.parse(String(value)) as Said;
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("A-138: kill -9", () => {
  test("between intent and outcome: the open intent is named, and the next session starts cleanly", async () => {
    const writer = start("open", "first");
    expect([await writer.next(), await writer.next()]).toEqual([{ opened: true }, { intent: true }]);
    await end(writer.child);
    const told = {
      endsEarly: true,
      bad: { seq: 2, why: expect.stringContaining("closing record is missing") },
      openIntents: [{ receipt: "r_first_1", tool: "click" }],
    };
    expect(await verifyLedger(it.file)).toMatchObject(told);

    const log = it.open({ session: "second" });
    ordinarySession(log);
    log.close();
    expect(await verifyLedger(it.file)).toMatchObject({ ok: true, isClosed: true, header: { session: "second" } });
    expect(await verifyLedger(join(it.path, "ledger.first.jsonl"))).toMatchObject(told);
    expect(readdirSync(it.path).toSorted()).toEqual(["keys", "ledger.first.jsonl", "ledger.jsonl"]);
  });

  test("at any moment: what was said to be written is there, and all of it is right", async () => {
    for (let round = 0; round < 5; round++) {
      const writer = start("write", `s${round}`);
      expect(await writer.next()).toEqual({ opened: true });
      let written = 0;
      for (let lines = 0; lines < 7 * round; lines++) written = (await writer.next()).written ?? 0;
      await end(writer.child);
      const result = await verifyLedger(it.file, { unfinished: true });
      expect(result).toMatchObject({ bad: null, header: { session: `s${round}` } });
      expect(result.records).toBeGreaterThanOrEqual(2 * written);
      expect(result.openIntents.length).toBeLessThanOrEqual(1);
    }
  });
});

describe("several processes at once", () => {
  test("one file: one of them gets it, the others say who has it", async () => {
    const writers = ["a", "b", "c", "d"].map((session) => start("open", session));
    const said = await Promise.all(writers.map((writer) => writer.next()));
    expect(said.filter(({ opened }) => opened)).toHaveLength(1);
    const refusals = said.flatMap(({ refused }) => (refused === undefined ? [] : [refused]));
    expect(refusals).toHaveLength(3);
    for (const refusal of refusals) expect(refusal).toMatch(/is being written by process \d+|is in use|cannot move/);
    expect(await writers[said.findIndex(({ opened }) => opened)]?.next()).toEqual({ intent: true });
    expect(await verifyLedger(it.file, { unfinished: true })).toMatchObject({ bad: null, records: 1 });
  });

  test("a file of one that was killed: one of them gets it, and what was there is kept", async () => {
    const first = start("open", "first");
    await first.next();
    await first.next();
    await end(first.child);
    const before = it.read();
    const writers = ["a", "b", "c", "d"].map((session) => start("open", session));
    const said = await Promise.all(writers.map((writer) => writer.next()));
    expect(said.filter(({ opened }) => opened)).toHaveLength(1);
    expect(it.read(join(it.path, "ledger.first.jsonl"))).toBe(before);
    expect(await writers[said.findIndex(({ opened }) => opened)]?.next()).toEqual({ intent: true });
    expect(await verifyLedger(it.file, { unfinished: true })).toMatchObject({ bad: null, records: 1 });
  });

  test("no key yet: all sign with the same one", async () => {
    const folders = ["a", "b", "c", "d"].map((name) => {
      mkdirSync(join(it.path, name));
      return join(it.path, name, "ledger.jsonl");
    });
    const keyDirectory = join(it.path, "keys");
    const running = folders.map((file, index) =>
      spawn(process.execPath, [CHILD, "close", file, keyDirectory, `s${index}`], {
        stdio: ["ignore", "ignore", "inherit"],
      }),
    );
    children.push(...running);
    expect(await Promise.all(running.map(async (child) => (await once(child, "exit"))[0]))).toEqual([0, 0, 0, 0]);
    const keys = folders.map(
      (file) => (JSON.parse(readFileSync(file, "utf8").split("\n")[0] ?? "") as { publicKey: string }).publicKey,
    );
    expect(new Set(keys).size).toBe(1);
    expect(readdirSync(keyDirectory).toSorted()).toEqual(["ledger-key.pem", "ledger-key.pub.pem"]);
  });
});

describe("A-137: no room", () => {
  test("the disk takes no more: nothing is decided any more, and what is there is whole", async () => {
    // The limit of a file's size stands for a full disk: the same call fails, in the middle of a line.
    const script = `trap '' XFSZ; ulimit -f 20; exec "$0" "$@"`;
    const { stdout } = spawnSync(
      "sh",
      ["-c", script, process.execPath, CHILD, "fill", it.file, join(it.path, "keys"), "full"],
      { encoding: "utf8" },
    );
    const said = stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(said).toEqual([
      { opened: true },
      { failed: expect.any(Number), message: expect.stringMatching(/EFBIG|ENOSPC/) },
      { later: expect.stringContaining("is broken") },
    ]);
    const result = await verifyLedger(it.file);
    expect(result.bad?.why).toContain("closing record is missing");
    expect(it.read().endsWith("\n")).toBe(true);
  });

  test("where nothing can be written, no session starts", () => {
    for (const file of ["/proc/ledger.jsonl", "/sys/ledger.jsonl", "/proc/self/nowhere/ledger.jsonl"])
      expect(() => it.open({ file })).toThrow();
  });
});
