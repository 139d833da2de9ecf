import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallId, Receipt } from "../types.ts";
import { type DecisionEntry, openDecisionLog } from "./log.ts";

const NOON_MS = Date.UTC(2026, 0, 1, 12);
const CLOCK = { clock: () => NOON_MS, newId: () => "s1" };
const entry: DecisionEntry = { kind: "outcome", call: "c1" as CallId, of: "r_s1_1" as Receipt, ok: true, code: null, requests: { allowed: 1, refused: 0 } };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chaperone-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("in memory", () => {
  test("names its records and keeps them", () => {
    const log = openDecisionLog(CLOCK);
    expect([log.record(entry), log.record(entry)]).toEqual(["r_s1_1", "r_s1_2"]);
    expect(log.recent()).toEqual([
      { ...entry, seq: 1, time: "2026-01-01T12:00:00.000Z", session: "s1", receipt: "r_s1_1" },
      { ...entry, seq: 2, time: "2026-01-01T12:00:00.000Z", session: "s1", receipt: "r_s1_2" },
    ]);
  });

  test("keeps the newest thousand", () => {
    const log = openDecisionLog({ ...CLOCK, file: null });
    for (let count = 0; count < 1_010; count++) log.record(entry);
    expect(log.recent().map((record) => record.seq)).toEqual(Array.from({ length: 1_000 }, (_unused, index) => index + 11));
  });

  test("a closed log takes nothing", () => {
    const log = openDecisionLog(CLOCK);
    log.close();
    log.close();
    expect(() => log.record(entry)).toThrow("closed");
  });
});

describe("in a file", () => {
  test("one JSON line a record, for its owner only, in directories for its owner only", () => {
    const file = join(folder, "a", "b", "log.jsonl");
    const log = openDecisionLog({ ...CLOCK, file });
    log.record(entry);
    log.record(entry);
    log.close();
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).receipt)).toEqual(["r_s1_1", "r_s1_2"]);
    expect([file, join(folder, "a"), join(folder, "a", "b")].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700, 0o700]);
  });

  test("adds to what is there, and closes it to others", () => {
    const file = join(folder, "log.jsonl");
    writeFileSync(file, "{}\n", { mode: 0o644 });
    chmodSync(file, 0o644);
    const log = openDecisionLog({ ...CLOCK, file });
    log.record(entry);
    log.close();
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(3);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("follows no link", () => {
    const target = join(folder, "target");
    symlinkSync(target, join(folder, "log.jsonl"));
    expect(() => openDecisionLog({ ...CLOCK, file: join(folder, "log.jsonl") })).toThrow("ELOOP");
    expect(existsSync(target)).toBe(false);
  });

  test("a directory or a device is not a log", () => {
    mkdirSync(join(folder, "log.jsonl"));
    expect(() => openDecisionLog({ ...CLOCK, file: join(folder, "log.jsonl") })).toThrow("EISDIR");
    expect(() => openDecisionLog({ ...CLOCK, file: "/dev/null" })).toThrow("not a regular file");
  });
});
