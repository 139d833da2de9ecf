/**
 * The ledger: what a record costs, with and without the disk, and how fast and in how much memory a ledger is checked.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { openDecisionLog } from "../../dist/ledger/log.js";
import { milliseconds } from "../harness/report.mjs";
import { median } from "../harness/statistics.mjs";

const MAX = { recordMs: 1, verifyMicroseconds: 130, verifyMb: 200 };
const BYTES_A_MB = 1_000_000;
const VERIFY_CHILD = new URL("../harness/verify-ledger.mjs", import.meta.url).pathname;

/** @param {number} count */
const intent = (count) =>
  /** @type {any} */ ({
    kind: "intent",
    call: `c${count}`,
    tool: "click",
    verb: "look",
    target: { ref: "e12", role: "button", site: "shop.test" },
    sink: { kind: "url", url: "https://shop.test/orders/1042?status=shipped" },
    values: [{ channel: "MODEL", characters: 12 }],
    verdict: "allow",
    rule: "reach.scope",
    why: null,
  });

/** @param {number} count @param {string} of */
const outcome = (count, of) =>
  /** @type {any} */ ({
    kind: "outcome",
    call: `c${count}`,
    of,
    ok: true,
    code: null,
    requests: { allowed: 3, refused: 0 },
  });

/** @param {import("../run.mjs").Bench} bench */
export async function measureLedger({ quick, file }) {
  const open = (/** @type {string} */ name) =>
    openDecisionLog({
      ledger: {
        file: file(name),
        keyDirectory: file("ledger-keys"),
        about: { program: "bench", policy: {}, task: null, exemptions: {} },
        maxPartBytes: Number.MAX_SAFE_INTEGER,
      },
      clock: Date.now,
      newId: () => name.replace(".jsonl", ""),
    });
  const log = open("writing.jsonl");
  const withDisk = [];
  const alone = [];
  for (let count = 1; count <= (quick ? 300 : 2_000); count++) {
    const began = performance.now();
    const receipt = log.record(intent(count));
    const between = performance.now();
    log.record(outcome(count, receipt));
    withDisk.push(between - began);
    alone.push(performance.now() - between);
  }
  log.close();
  const disk = fsyncTimes(file("plain"), quick ? 100 : 500);

  const wantedMb = quick ? 20 : 200;
  await writeMuch(open("reading.jsonl"), file("reading.jsonl"), wantedMb);
  const { size } = await stat(file("reading.jsonl"));
  const checked = await checkElsewhere(file("reading.jsonl"));
  await rm(file("reading.jsonl"));
  const cpuMicroseconds = (checked.cpuMs / checked.lines) * 1_000;
  return {
    title: "The ledger",
    how: `Records as a session writes them, into the temporary directory; a plain fdatasync of as much beside it. Checking runs in a process of its own; its processor time, over all threads, is divided by the number of lines.`,
    peer: "fdatasync alone",
    rows: [
      {
        what: "a record that needs no disk",
        ours: milliseconds(alone),
        target: `at most ${MAX.recordMs} ms`,
        met: median(alone) <= MAX.recordMs,
      },
      { what: "a record that is on disk before the act", ours: milliseconds(withDisk), peer: milliseconds(disk) },
      {
        what: `checking ${Math.round(size / BYTES_A_MB)} MB, ${checked.lines} lines: a line and core`,
        ours: `${cpuMicroseconds.toFixed(0)} µs`,
        target: `at most ${MAX.verifyMicroseconds} µs`,
        met: cpuMicroseconds <= MAX.verifyMicroseconds,
      },
      { what: "the same, a line of waiting", ours: `${((checked.wallMs / checked.lines) * 1_000).toFixed(0)} µs` },
      {
        what: "the same, memory",
        ours: `${checked.peakMb} MB`,
        target: `under ${MAX.verifyMb} MB`,
        met: checked.peakMb < MAX.verifyMb,
      },
    ],
  };
}

/** @param {string} path @param {number} rounds */
function fsyncTimes(path, rounds) {
  const descriptor = openSync(path, "w");
  const line = Buffer.alloc(800, "x");
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    writeSync(descriptor, line);
    fdatasyncSync(descriptor);
    times.push(performance.now() - began);
  }
  closeSync(descriptor);
  return times;
}

/**
 * Refused acts need no disk. @param {ReturnType<typeof openDecisionLog>} log @param {string} path @param {number}
 * megabytes
 */
async function writeMuch(log, path, megabytes) {
  for (let count = 1; ; count++) {
    log.record({ ...intent(count), verdict: "refuse", rule: "reach.site", why: "This site is not in scope." });
    if (count % 10_000 === 0 && (await stat(path)).size >= megabytes * BYTES_A_MB) break;
  }
  log.close();
}

/** @param {string} path @returns {Promise<{ lines: number, cpuMs: number, wallMs: number, peakMb: number }>} */
async function checkElsewhere(path) {
  const child = spawn(process.execPath, [VERIFY_CHILD, path], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The ledger that was written is not right: ${said}`);
  return JSON.parse(said);
}
