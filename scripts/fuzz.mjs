// The long runs of tests with random input: `npm run fuzz`, or `npm run fuzz -- 100000 7` for so many rounds and that
// seed. A round with a browser takes as long as many without: there are fewer of those.
import { runVitest } from "./vitest.mjs";

const [rounds = "10000", seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2);
if (![rounds, seed].every((text) => /^\d{1,9}$/.test(text) || /^\d{10}$/.test(text))) {
  console.error("fuzz: takes a number of rounds and a seed");
  process.exit(2);
}
const tests = ["test/ledger-mutations.test.ts", "arena/effects-mutations.test.ts", "test/chains/chains.test.ts"];
runVitest(tests, {
  LEDGER_MUTATIONS: rounds,
  LEDGER_SEED: seed,
  EFFECT_MUTATIONS: String(Math.ceil(Number(rounds) / 10)),
  EFFECT_SEED: seed,
  EFFECT_CHAINS: rounds,
});
