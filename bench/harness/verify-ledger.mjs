// Checks a ledger in a process of its own and says what that took.
import { verifyLedger } from "../../dist/ledger/index.js";

const KB_PER_MB = 1_024;
const MICROSECONDS_PER_MS = 1_000;

const before = process.cpuUsage();
const began = performance.now();
const { ok, bad, records } = await verifyLedger(process.argv[2] ?? "");
const wallMs = performance.now() - began;
const { user, system } = process.cpuUsage(before);
const peakMb = Math.round(process.resourceUsage().maxRSS / KB_PER_MB);
process.stdout.write(
  JSON.stringify({ bad, lines: records + 1, cpuMs: (user + system) / MICROSECONDS_PER_MS, wallMs, peakMb }),
);
process.exitCode = ok ? 0 : 1;
