import { createHash, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import canonicalize from "canonicalize";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CheckOptions, verifyLedger } from "../index.ts";
import {
  answer,
  type Folder,
  folder,
  grant,
  intent,
  NOON_MS,
  ordinarySession,
  outcome,
  question,
  request,
} from "../ledger.fixture.ts";
import type { DecisionEntry, DecisionLog } from "../log.ts";

let it: Folder;
beforeEach(() => {
  it = folder();
});
afterEach(() => it[Symbol.dispose]());

function lines(rounds = 2): string[] {
  const log = it.open();
  ordinarySession(log, rounds);
  log.close();
  return it.read().trimEnd().split("\n");
}

function check(text: string, options: CheckOptions = {}): ReturnType<typeof verifyLedger> {
  return verifyLedger(it.write(text, join(it.path, "checked.jsonl")), options);
}

const joined = (all: readonly string[]): string => `${all.join("\n")}\n`;

describe("a ledger as it was written", () => {
  test("is right, and closed", async () => {
    const log = it.open();
    const names = ordinarySession(log, 3);
    log.close();
    expect(await verifyLedger(it.file)).toMatchObject({
      bad: null,
      ok: true,
      records: names.length + 1,
      isClosed: true,
      endsEarly: false,
      openIntents: [],
    });
  });

  test("with checkpoints, and as a stream in chunks of any size", async () => {
    const log = it.open({ checkpointRecords: 3 });
    ordinarySession(log, 10);
    log.close();
    const bytes = readFileSync(it.file);
    expect(it.read().match(/"kind":"checkpoint"/g)?.length).toBeGreaterThan(20);
    for (const size of [1, 7, 1_000, 1_000_000]) {
      const chunks = async function* (): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      expect(await verifyLedger(chunks())).toMatchObject({ ok: true, isClosed: true });
    }
  });

  test("in several files, asked for by any of them", async () => {
    const log = it.open({ maxPartBytes: 4_000, checkpointRecords: 4 });
    const names = ordinarySession(log, 10);
    log.close();
    const second = join(it.path, "ledger.2.jsonl");
    expect(existsSync(second)).toBe(true);
    const result = await verifyLedger(it.file);
    expect(result).toMatchObject({ bad: null, isClosed: true });
    expect(result.records).toBeGreaterThan(names.length);
    expect(await verifyLedger(second)).toEqual(result);
  });

  test("A-136: a whole file that is gone", async () => {
    const log = it.open({ maxPartBytes: 4_000 });
    ordinarySession(log, 10);
    log.close();
    rmSync(join(it.path, "ledger.2.jsonl"));
    expect((await verifyLedger(it.file, { unfinished: true })).bad?.why).toContain("part 2, is missing");
    rmSync(it.file);
    expect((await verifyLedger(join(it.path, "ledger.3.jsonl"))).bad).toMatchObject({ seq: 0 });
  });
});

describe("A-136: what was done to a file", () => {
  test.each<[string, number, (all: string[]) => readonly string[], RegExp]>([
    ["a record taken out", 5, (all) => all.toSpliced(5, 1), /missing or out of place: number 6/],
    ["the first line taken out", 0, (all) => all.slice(1), /out of place/],
    ["two records swapped", 5, (all) => all.with(5, all[6] ?? "").with(6, all[5] ?? ""), /out of place/],
    ["a record put in twice", 6, (all) => all.toSpliced(6, 0, all[5] ?? ""), /out of place/],
    ["an empty line", 4, (all) => all.toSpliced(4, 0, ""), /not JSON/],
    ["a space", 4, (all) => all.with(4, (all[4] ?? "").replace(":", ": ")), /canonical/],
    ["a carriage return", 4, (all) => all.with(4, `${all[4]}\r`), /canonical/],
    [
      "a member twice",
      4,
      (all) => all.with(4, (all[4] ?? "").replace('"kind":', '"kind":"intent","kind":')),
      /canonical/,
    ],
    ["a member more", 4, (all) => all.with(4, (all[4] ?? "").replace('"kind":', '"keen":1,"kind":')), /was changed/],
    [
      "a signature of another record",
      4,
      (all) => all.with(4, (all[4] ?? "").replace(/"sig":"\w+"/, /"sig":"\w+"/.exec(all[3] ?? "")?.[0] ?? "")),
      /not signed/,
    ],
    [
      "a signature in capitals",
      4,
      (all) =>
        all.with(
          4,
          (all[4] ?? "").replace(/"sig":"(\w+)"/, (_, sig: string) => `"sig":"${sig.toUpperCase()}"`),
        ),
      /not a record/,
    ],
    ["something behind the end", 29, (all) => [...all, all[3] ?? ""], /behind the closing record/],
    ["a byte order mark", 0, (all) => all.with(0, `\uFEFF${all[0]}`), /not JSON/],
    ["one line of a megabyte", 3, (all) => all.toSpliced(3, 0, "x".repeat(1_100_000)), /too long/],
    [
      "nesting without end",
      3,
      (all) => all.toSpliced(3, 0, `${"[".repeat(400_000)}${"]".repeat(400_000)}`),
      /not JSON|not a record/,
    ],
  ])("%s", async (_what, seq, act, why) => {
    const all = lines();
    expect(all).toHaveLength(29 - 3);
    const { bad } = await check(joined(act(all)));
    expect(bad?.why).toMatch(why);
    expect(bad?.seq).toBe(Math.min(seq, all.length));
  });

  test("bytes that are no text", async () => {
    const bytes = Buffer.from(joined(lines()));
    bytes[bytes.indexOf("Überweisung")] = 0xff;
    it.write(bytes);
    expect((await verifyLedger(it.file)).bad).toMatchObject({ seq: 5, why: "is not UTF-8" });
  });

  test.each([1, 2, 7, 20])("%i lines cut off the end", async (count) => {
    const all = lines();
    const cut = joined(all.slice(0, -count));
    expect((await check(cut)).bad).toMatchObject({
      seq: all.length - count,
      why: expect.stringContaining("lines were cut off"),
    });
    expect(await check(cut, { unfinished: true })).toMatchObject({ ok: true, isClosed: false });
    const last = JSON.parse(all.at(-1) ?? "") as { hash: string; seq: number };
    for (const held of [last, { hash: last.hash }]) {
      expect((await check(cut, { unfinished: true, held })).bad?.why).toContain("before the checkpoint that is held");
      expect(await check(joined(all), { held })).toMatchObject({ ok: true });
    }
  });

  test("cut in the middle of a line", async () => {
    const all = lines();
    const cut = joined(all).slice(0, -50);
    expect(await check(cut)).toMatchObject({
      endsEarly: true,
      bad: { seq: all.length - 1, why: expect.stringContaining("ends in the middle") },
    });
    expect(await check(cut, { unfinished: true })).toMatchObject({ ok: true });
    // Whole but for its line feed is not whole.
    expect(await check(joined(all).slice(0, -1))).toMatchObject({ ok: false });
  });

  test.each([
    ["nothing", "", /nothing here/],
    ["a line feed", "\n", /not JSON/],
    ["garbage", "\u0000\u0001garbage", /not JSON/],
    ["JSON", "[1,2]\n{}\n", /not a record/],
    ["a later version", '{"kind":"header","version":2,"what":"is not known"}\n', /later version.*reads version 1/],
  ])("%s is no ledger", async (_what, text, why) => {
    const { bad, records } = await check(text, { unfinished: true });
    expect(bad?.why).toMatch(why);
    expect([bad?.seq, records]).toEqual([0, 0]);
  });

  test("a wrong key is told at the first line", async () => {
    const all = lines();
    expect((await check(joined(all), { publicKey: "0".repeat(64) })).bad).toMatchObject({
      seq: 0,
      why: expect.stringContaining("another key"),
    });
    expect(
      await check(joined(all), { publicKey: (JSON.parse(all[0] ?? "") as { publicKey: string }).publicKey }),
    ).toMatchObject({ ok: true });
  });
});

/** Signs lines anew as somebody with the key could, so that only what they say can be wrong. */
function forge(all: readonly string[], act: (record: Record<string, unknown>, seq: number) => void): string {
  const key = createPrivateKey(readFileSync(join(it.path, "keys", "ledger-key.pem")));
  let prev = "0".repeat(64);
  const made = all.map((line, index) => {
    const { hash: _hash, sig: _sig, ...record } = JSON.parse(line) as Record<string, unknown>;
    Object.assign(record, { prev });
    act(record, index);
    const sealed = seal(record, key);
    prev = sealed.hash;
    return sealed.line;
  });
  return joined(made);
}

function seal(record: Record<string, unknown>, key: KeyObject): { readonly hash: string; readonly line: string } {
  const hash = createHash("sha256")
    .update(canonicalize(record) ?? "")
    .digest("hex");
  const sig = sign(null, Buffer.from(`chaperone-ledger-1:${hash}`), key).toString("hex");
  return { hash, line: canonicalize({ ...record, hash, sig }) ?? "" };
}

describe("A-136: what somebody with the key could not hide", () => {
  test.each<[string, number, (record: Record<string, unknown>) => void, RegExp]>([
    ["a clock that goes back", 7, (record) => (record.time = "2025-01-01T00:00:00.000Z"), /older/],
    ["a record of another session", 7, (record) => (record.session = "s2"), /another session/],
    ["a name of another record", 7, (record) => (record.receipt = "r_s1_1"), /name of another/],
    ["an unknown kind", 7, (record) => (record.kind = "magic"), /unknown kind/],
    ["a number left out", 7, (record) => (record.seq = 8), /out of place/],
    ["a header in the middle", 7, (record) => (record.kind = "header"), /header in the middle/],
    ["an end that counts otherwise", 25, (record) => (record.size = 3), /another size or root/],
    ["an end with another root", 25, (record) => (record.root = "0".repeat(64)), /another size or root/],
  ])("%s", async (_what, seq, act, why) => {
    const text = forge(lines(), (record, index) => {
      if (index === seq) act(record);
    });
    expect((await check(text)).bad).toMatchObject({ seq, why: expect.stringMatching(why) });
  });

  test("the forging itself is right", async () => {
    const all = lines();
    expect(forge(all, () => {})).toBe(joined(all));
  });
});

describe("AU-4: what was done follows from what was decided", () => {
  const yes = { verdict: "allow", digest: "d1", question: "q1" as never, rule: "effects.answer" } as const;
  const granted = { verdict: "allow", grant: "g1", rule: "effects.grant" } as const;
  const kept = { source: "answer", permits: "request", question: "q1" as never, digest: "of q1", left: 1 } as const;

  async function told(...entries: readonly (DecisionEntry | ((log: DecisionLog) => void))[]): Promise<string | null> {
    const log = it.open();
    for (const entry of entries) {
      if (typeof entry === "function") entry(log);
      else log.record(entry);
    }
    log.close();
    return (await verifyLedger(it.file)).bad?.why ?? null;
  }

  test.each<[string, readonly DecisionEntry[]]>([
    ["nothing", []],
    [
      "asked, answered, done",
      [intent(1), question("q1", ["d1", "d2"], 1), answer("q1"), request(1, yes), request(1, { ...yes, digest: "d2" })],
    ],
    [
      "asked, denied, not done",
      [intent(1), question("q1", ["d1"], 1), answer("q1", "no"), request(1, { ...yes, verdict: "refuse" })],
    ],
    [
      "its page gave up, then came again",
      [
        question("q1", ["d1"]),
        answer("q1"),
        request(null, yes),
        grant("g1", kept),
        request(null, { ...granted, digest: "d1" }),
      ],
    ],
    [
      "a form's next steps",
      [
        question("q1", ["d1"]),
        answer("q1", "form"),
        request(null, yes),
        grant("g1", { ...kept, permits: "form", left: 2 }),
        request(null, granted),
        request(null, granted),
      ],
    ],
    [
      "granted beforehand, as often as that",
      [grant("g1", { left: 2 }), request(null, granted), request(null, granted)],
    ],
    ["granted without end", [grant("g1"), ...Array.from({ length: 5 }, () => request(null, granted))]],
    ["what needs no yes", [request(null, { digest: "d7" })]],
    [
      "denied, then asked anew",
      [
        question("q1", ["d1"]),
        answer("q1", "no"),
        question("q2", ["d1"]),
        answer("q2"),
        request(null, { ...yes, question: "q2" as never }),
      ],
    ],
  ])("right: %s", async (_what, entries) => {
    expect(await told(...entries)).toBe(null);
  });

  test.each<[string, readonly DecisionEntry[], RegExp]>([
    ["done without an answer", [question("q1", ["d1"]), request(null, yes)], /before it was answered/],
    ["done without being asked", [request(null, yes)], /before it was answered/],
    [
      "done although the answer was no",
      [question("q1", ["d1"]), answer("q1", "no"), request(null, yes)],
      /answer was no/,
    ],
    [
      "an answer used twice",
      [question("q1", ["d1"]), answer("q1"), request(null, yes), request(null, yes)],
      /answer twice/,
    ],
    [
      "another request than asked",
      [question("q1", ["d1"]), answer("q1"), request(null, { ...yes, digest: "d2" })],
      /another request/,
    ],
    [
      "denied, then done by itself",
      [question("q1", ["d1"]), answer("q1", "no"), request(null, { digest: "d1" })],
      /nobody who was asked/,
    ],
    [
      "asked, not answered, done by itself",
      [question("q1", ["d1"]), request(null, { digest: "d1" })],
      /nobody who was asked/,
    ],
    ["by an answer that is not named", [request(null, { rule: "effects.answer" })], /nobody who is named/],
    ["by a grant that is not named", [request(null, { rule: "effects.grant" })], /nobody who is named/],
    [
      "a grant used too often",
      [grant("g1", { left: 1 }), request(null, granted), request(null, granted)],
      /more often/,
    ],
    ["a grant that was never given", [request(null, granted)], /never given/],
    ["a grant by no answer", [grant("g1", kept)], /not given/],
    ["a grant by a no", [question("q1", ["d1"]), answer("q1", "no"), grant("g1", kept)], /was no/],
    [
      "a wide grant by a once",
      [question("q1", ["d1"]), answer("q1"), grant("g1", { ...kept, permits: "sort", left: null })],
      /for once/,
    ],
    ["a kept yes for what had not gone", [question("q1", ["d1"]), answer("q1"), grant("g1", kept)], /answer twice/],
    [
      "two kept yeses for one",
      [question("q1", ["d1"]), answer("q1"), request(null, yes), grant("g1", kept), grant("g2", kept)],
      /answer twice/,
    ],
    ["a grant twice", [grant("g1"), grant("g1")], /name of its own/],
    ["an answer to nothing", [answer("q1")], /not asked/],
    ["two answers", [question("q1", ["d1"]), answer("q1", "no"), answer("q1")], /answers what was answered/],
    ["an answer that was not offered", [question("q1", ["d1"]), answer("q1", "task")], /not offered/],
    ["a yes of nobody", [question("q1", ["d1"]), { ...answer("q1"), by: null } as DecisionEntry], /of nobody/],
    ["two questions of one name", [question("q1", ["d1"]), question("q1", ["d2"])], /name that was used/],
    ["a request of a refused call", [intent(1, { verdict: "refuse" }), request(1)], /call that was not allowed/],
    ["a request of an unknown call", [intent(1), request(2)], /call that was not allowed/],
  ])("wrong: %s", async (_what, entries, why) => {
    expect(await told(...entries)).toMatch(why);
  });

  test("an outcome ends one allowed act, once, of its own call", async () => {
    const refused = it.open();
    refused.record(outcome(1, refused.record(intent(1, { verdict: "refuse" }))));
    refused.close();
    expect((await verifyLedger(it.file)).bad?.why).toContain("not allowed");
    expect(
      await told((log) => {
        const name = log.record(intent(1));
        log.record(outcome(1, name));
        log.record(outcome(1, name));
      }),
    ).toContain("had ended");
  });

  test("and not that of another call", async () => {
    expect(await told((log) => void log.record(outcome(2, log.record(intent(1)))))).toContain("another call");
  });

  test("what is open is named, in a closed ledger too", async () => {
    const log = it.open();
    log.record(intent(1));
    log.close();
    expect(await verifyLedger(it.file)).toMatchObject({
      ok: true,
      openIntents: [{ receipt: "r_s1_1", seq: 1, tool: "click" }],
    });
  });
});

test("a system clock that goes back does not show in the record", async () => {
  let now = NOON_MS;
  const log = it.open({ clock: () => (now -= 60_000) });
  ordinarySession(log);
  log.close();
  expect(await verifyLedger(it.file)).toMatchObject({ bad: null });
});
