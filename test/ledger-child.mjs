// A process that writes a ledger, for tests that end it, race it or leave it no room. Says on stdout, a JSON line each,
// how far it came.
import { openDecisionLog } from "../dist/ledger/log.js";

const [what, file, keyDirectory, session] = process.argv.slice(2);
const say = (said) => process.stdout.write(`${JSON.stringify(said)}\n`);
const intent = (call) => ({
  kind: "intent",
  call,
  tool: "click",
  verb: "press",
  target: null,
  sink: null,
  values: [],
  verdict: "allow",
  rule: "reach.scope",
  why: null,
});
const outcome = (call, of) => ({
  kind: "outcome",
  call,
  of,
  ok: true,
  code: null,
  requests: { allowed: 0, refused: 0 },
});

try {
  const about = { program: "chaperone 0.0.0", policy: {}, task: null, exemptions: {} };
  const log = openDecisionLog({ ledger: { file, keyDirectory, about }, clock: Date.now, newId: () => session });
  say({ opened: true });
  if (what === "open") log.record(intent("c1"));
  if (what === "open") say({ intent: true });
  if (what === "close") log.close();
  if (what === "write" || what === "fill") fill(log);
} catch (error) {
  say({ refused: error.message });
  process.exit(1);
}
// Waits to be ended.
if (what !== "close" && what !== "fill") process.stdin.resume().on("end", () => process.exit());

function fill(log) {
  for (let count = 1; ; count++) {
    try {
      log.record(outcome(`c${count}`, log.record(intent(`c${count}`))));
      if (what === "write") say({ written: count });
    } catch (error) {
      say({ failed: count, message: error.message });
      try {
        log.record(intent("c0"));
        say({ wentOn: true });
      } catch (later) {
        say({ later: later.message });
      }
      log.close();
      return;
    }
  }
}
