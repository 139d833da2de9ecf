import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const BYTES_PER_MB = 1_048_576;
const COLLECTIONS = 3;

/** What this process holds on to, in MB: with `held` after garbage is gone, with `resident` as the system sees it. */
export interface Memory {
  readonly held: number;
  readonly resident: number;
}

/** Memory after garbage is gone; between collections what ended in this turn can let go. */
export async function memory(): Promise<Memory> {
  for (let count = 0; count < COLLECTIONS; count++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: (heapUsed + external) / BYTES_PER_MB, resident: rss / BYTES_PER_MB };
}
