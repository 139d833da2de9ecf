import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyLedger } from "../src/ledger/index.ts";
import { folder, ordinarySession } from "../src/ledger/ledger.fixture.ts";
import { firstChanged, mutate, randomFrom } from "./ledger-mutations.ts";
import { runs } from "./runs.ts";

/** `npm run fuzz` gives more of them, and another seed each time. */
const ROUNDS = Number(process.env.LEDGER_MUTATIONS ?? runs(150, 3_000));
const SEED = Number(process.env.LEDGER_SEED ?? 20_260_701);
const MS_A_ROUND = 100;

test(`A-136: ${ROUNDS} random changes are found, each at its place (seed ${SEED})`, {
  timeout: 30_000 + ROUNDS * MS_A_ROUND,
}, async () => {
  using it = folder();
  for (const session of ["s1", "s2"]) {
    const log = it.open({ session, file: join(it.path, `${session}.jsonl`), checkpointRecords: 8 });
    ordinarySession(log, 2);
    log.close();
  }
  const bytes = readFileSync(join(it.path, "s1.jsonl"));
  const other = it.read(join(it.path, "s2.jsonl")).trimEnd().split("\n");
  const whole = await verifyLedger(join(it.path, "s1.jsonl"));
  expect(whole).toMatchObject({ ok: true, isClosed: true });
  const publicKey = String(whole.header?.publicKey);
  const random = randomFrom(SEED);
  const missed: unknown[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { what, bytes: changed } = mutate(bytes, random, other);
    const options = {
      publicKey,
      unfinished: random() < 0.5,
      ...(whole.head !== null && { held: random() < 0.5 ? whole.head : { hash: whole.head.hash } }),
    };
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      yield changed;
    };
    const { ok, bad } = await verifyLedger(chunks(), options);
    // The head of another session is right in itself: the line after it does not follow.
    const isOthersHead = changed.toString("utf8").startsWith(`${other[0]}\n`);
    const at = Math.max(firstChanged(bytes, changed), isOthersHead ? 1 : 0);
    if (ok || bad?.seq !== at) missed.push({ round, what, bad, at });
  }
  expect(missed).toEqual([]);
});
