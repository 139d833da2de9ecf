import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallId, Receipt } from "../types.ts";
import { type Folder, folder, intent, ordinarySession, request } from "./ledger.fixture.ts";
import { type DecisionEntry, openDecisionLog } from "./log.ts";

const NOON_MS = Date.UTC(2026, 0, 1, 12);
const CLOCK = { clock: () => NOON_MS, newId: () => "s1" };
const entry: DecisionEntry = {
  kind: "outcome",
  call: "c1" as CallId,
  of: "r_s1_1" as Receipt,
  ok: true,
  code: null,
  requests: { allowed: 1, refused: 0 },
};

let it: Folder;
beforeEach(() => {
  it = folder();
});
afterEach(() => it[Symbol.dispose]());

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
    const log = openDecisionLog({ ...CLOCK, ledger: null });
    for (let count = 0; count < 1_010; count++) log.record(entry);
    expect(log.recent().map((record) => record.seq)).toEqual(
      Array.from({ length: 1_000 }, (_unused, index) => index + 11),
    );
  });

  test("a closed log takes nothing", () => {
    const log = openDecisionLog(CLOCK);
    log.close();
    log.close();
    expect(() => log.record(entry)).toThrow("closed");
  });
});

describe("in a file", () => {
  test("a record is what it was, and who decided on which sites; the names are those of the results", () => {
    const log = it.open();
    const names = ordinarySession(log);
    log.close();
    const lines = it
      .read()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.slice(1, -1).map(({ receipt }) => receipt)).toEqual(names);
    expect(names[0]).toBe("r_s1_1");
    expect(lines.slice(1, -1).map(({ kind, decidedBy, sites }) => [kind, decidedBy, sites])).toEqual([
      ["browser", undefined, undefined],
      ["grant", "operator", undefined],
      ["intent", "gate", ["shop.test"]],
      ["outcome", undefined, undefined],
      ["intent", "gate", ["shop.test"]],
      ["question", undefined, undefined],
      ["answer", "approver", undefined],
      ["request", "approver", ["shop.test"]],
      ["request", "operator", ["shop.test"]],
      ["request", "gate", ["evil.test"]],
      ["dialog", undefined, undefined],
      ["outcome", undefined, undefined],
      ["intent", "gate", ["shop.test"]],
      ["fault", undefined, undefined],
    ]);
  });

  test("each line is in its place on disk when record returns", () => {
    const log = it.open();
    log.record(entry);
    expect(it.read().trimEnd().split("\n")).toHaveLength(2);
    log.close();
  });

  test("the first line says what the session is, long or personal things as digests", () => {
    it.open().close();
    const [header = ""] = it.read().split("\n");
    expect(JSON.parse(header)).toMatchObject({
      kind: "header",
      version: 1,
      seq: 0,
      session: "s1",
      time: "2026-01-01T12:00:00.000Z",
      program: "chaperone 0.0.0",
      publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      policy: expect.stringMatching(/^[0-9a-f]{64}$/),
      task: expect.stringMatching(/^[0-9a-f]{64}$/),
      exemptions: { sandbox: true },
      prev: "0".repeat(64),
    });
    expect(header).not.toContain("kettle");
  });

  test("of a value stands there a digest that is the same for the same value in this session only, or its text where it is kept; in memory neither", () => {
    const texts = (settings: Parameters<Folder["open"]>[0]): readonly unknown[] => {
      const file = join(it.path, `${settings?.session}.jsonl`);
      const log = it.open({ ...settings, file });
      for (const text of ["1042", "1042", "x".repeat(300)])
        log.record(intent(1, { values: [{ channel: "MODEL", characters: text.length, text }] }));
      expect(
        log
          .recent()
          .flatMap((record) => (record.kind === "intent" ? record.values.map((value) => Object.keys(value)) : [])),
      ).toEqual(Array.from({ length: 3 }, () => ["channel", "characters"]));
      log.close();
      return it
        .read(file)
        .split("\n")
        .slice(1, 4)
        .map((line) => JSON.parse(line).values[0]);
    };
    const digest = { channel: "MODEL", characters: 4, digest: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const [first, again, other] = texts({ session: "a" }) as readonly { digest: string }[];
    expect([first, again]).toEqual([digest, first]);
    expect(other?.digest).not.toBe(first?.digest);
    expect((texts({ session: "b" }) as readonly { digest: string }[])[0]?.digest).not.toBe(first?.digest);
    expect(texts({ session: "c", keepValues: true })).toEqual([
      { channel: "MODEL", characters: 4, text: "1042" },
      { channel: "MODEL", characters: 4, text: "1042" },
      { channel: "MODEL", characters: 300, text: `${"x".repeat(200)}…` },
    ]);
  });

  test("a page's endless address is cut, half a character is mended", () => {
    const log = it.open();
    log.record(request(null, { verdict: "refuse", url: `https://shop.test/${"x".repeat(1_000_000)}` }));
    log.record({ kind: "dialog", type: "alert", words: "\u{1F4B8}".slice(0, 1), answered: "dismissed" });
    log.close();
    expect(it.read().length).toBeLessThan(10_000);
    expect(it.read()).toContain("…(1000018 characters)");
    expect(it.read()).toContain('"words":"\uFFFD"');
  });
});
