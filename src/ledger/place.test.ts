import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyLedger } from "./index.ts";
import { type Folder, folder, intent, ordinarySession, outcome } from "./ledger.fixture.ts";

let it: Folder;
beforeEach(() => {
  it = folder();
});
afterEach(() => it[Symbol.dispose]());

const files = (): readonly string[] => readdirSync(it.path).filter((name) => name !== "keys");

describe("where a ledger may lie", () => {
  test("for its owner only, in directories for its owner only", () => {
    const file = join(it.path, "a", "b", "log.jsonl");
    it.open({ file }).close();
    expect([file, join(it.path, "a"), join(it.path, "a", "b")].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o600, 0o700, 0o700,
    ]);
    expect(readdirSync(join(it.path, "a", "b"))).toEqual(["log.jsonl"]);
  });

  test("A-137: no link is followed, not even a dangling one", () => {
    const target = join(it.path, "target");
    symlinkSync(target, it.file);
    expect(() => it.open()).toThrow("is a link");
    writeFileSync(target, "mine");
    expect(() => it.open()).toThrow("is a link");
    expect(readFileSync(target, "utf8")).toBe("mine");
  });

  test("A-137: a directory, a device or a pipe is no ledger", () => {
    mkdirSync(it.file);
    expect(() => it.open()).toThrow("not a regular file");
    expect(() => it.open({ file: "/dev/null" })).toThrow("not a regular file");
    const pipe = join(it.path, "pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    expect(() => it.open({ file: pipe })).toThrow("not a regular file");
  });

  test.each([
    ["garbage", "\u0000garbage"],
    ["a plain log", '{"kind":"intent","seq":1}\n'],
    ["a letter", "Dear Ada,\n"],
    ["a header with a bad name", '{"kind":"header","session":"../../x"}\n'],
  ])("%s is left alone", (_what, text) => {
    it.write(text);
    expect(() => it.open()).toThrow("is not a ledger: name another file");
    expect(it.read()).toBe(text);
    expect(files()).toEqual(["ledger.jsonl"]);
  });

  test("0 bytes are as good as nothing", async () => {
    it.write("");
    it.open().close();
    expect(await verifyLedger(it.file)).toMatchObject({ ok: true });
    expect(files()).toEqual(["ledger.jsonl"]);
  });

  test("what cannot be made leaves nothing", () => {
    expect(() => it.open({ file: "/proc/nowhere/ledger.jsonl" })).toThrow();
    expect(files()).toEqual([]);
  });
});

describe("a file that is another session's ledger", () => {
  test("that has ended moves aside, whole, with all its parts", async () => {
    const first = it.open({ maxPartBytes: 4_000 });
    ordinarySession(first, 10);
    first.close();
    const before = it.read();
    const parts = files().length;
    it.open({ session: "s2" }).close();
    expect(files()).toHaveLength(parts + 1);
    expect(it.read(join(it.path, "ledger.s1.jsonl"))).toBe(before);
    expect(await verifyLedger(join(it.path, "ledger.s1.jsonl"))).toMatchObject({ ok: true, header: { session: "s1" } });
    expect(await verifyLedger(it.file)).toMatchObject({ ok: true, header: { session: "s2" }, records: 1 });
  });

  test("that is being written, by this process or another, refuses", async () => {
    const first = it.open();
    expect(() => it.open({ session: "s2" })).toThrow(`is being written by process ${process.pid}`);
    first.record(intent(1));
    first.close();
    expect(await verifyLedger(it.file)).toMatchObject({ ok: true, header: { session: "s1" } });
  });

  test("whose process is gone moves aside", () => {
    it.open();
    const gone = it.read().replace(/"writer":\{[^}]*\}/, '"writer":{"pid":999999999,"started":"1"}');
    it.write(gone);
    it.open({ session: "s2" }).close();
    expect(it.read(join(it.path, "ledger.s1.jsonl"))).toBe(gone);
  });

  test.runIf(process.platform === "linux")("whose process number somebody else has now moves aside", () => {
    it.open();
    it.write(it.read().replace(/"started":"\d+"/, '"started":"1"'));
    it.open({ session: "s2" }).close();
    expect(files().toSorted()).toEqual(["ledger.jsonl", "ledger.s1.jsonl"]);
  });

  test("is never lost for another one of the same name", () => {
    it.open().close();
    it.open({ session: "s2" }).close();
    expect(() => it.open({ session: "s2" }).close()).not.toThrow();
    expect(() => it.open({ session: "s3" })).toThrow("cannot move to");
    expect(files().toSorted()).toEqual(["ledger.jsonl", "ledger.s1.jsonl", "ledger.s2.jsonl"]);
  });
});

describe("A-137: from a record that cannot be written on, nothing is written", () => {
  test("the file is deleted", () => {
    const log = it.open();
    unlinkSync(it.file);
    expect(() => log.record(intent(1))).toThrow("was deleted");
    expect(() => log.record(intent(2))).toThrow("broken");
    log.close();
    expect(existsSync(it.file)).toBe(false);
  });

  test("somebody else writes into it, or cuts it", () => {
    const log = it.open();
    appendFileSync(it.file, "x\n");
    expect(() => log.record(intent(1))).toThrow("changed by somebody else");
    log.close();
    expect(it.read().endsWith("x\n")).toBe(true);
    const other = it.open({ file: join(it.path, "other.jsonl") });
    other.record(intent(1));
    writeFileSync(join(it.path, "other.jsonl"), "");
    expect(() => other.record(intent(2))).toThrow("changed by somebody else");
  });

  test("the name of the next part is taken", () => {
    const log = it.open({ maxPartBytes: 1_000 });
    mkdirSync(join(it.path, "ledger.2.jsonl"));
    expect(() => {
      for (let count = 1; count < 10; count++) log.record(intent(count));
    }).toThrow("not a regular file");
    expect(() => log.record(intent(11))).toThrow("broken");
    log.close();
  });

  test("moved elsewhere while it is written, it is written on there", async () => {
    const log = it.open();
    renameSync(it.file, join(it.path, "moved.jsonl"));
    log.record(outcome(1, log.record(intent(1))));
    log.close();
    expect(await verifyLedger(join(it.path, "moved.jsonl"))).toMatchObject({ ok: true });
    rmSync(join(it.path, "moved.jsonl"));
  });
});
