import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { packageVersion, stateDirectory } from "../../config/index.ts";
import { selfTestChannels } from "./channels.ts";

/** What was proven longer ago is proven again. */
const VALID_MS = 30 * 24 * 60 * 60 * 1_000;
const MOST_ENTRIES = 20;
const LARGEST_FILE_BYTES = 65_536;
const OTHERS_MAY_WRITE = 0o022;

const content = z.strictObject({
  passed: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.number().int().nonnegative()),
});

/** Which browsers have passed the self-test, by digest. Only passes are kept: what failed is tried again every time. */
export interface ProvenBrowsers {
  has(digest: string): boolean;
  add(digest: string): void;
}

/** In the state directory of this user. */
export function provenBrowsers(): ProvenBrowsers {
  return provenIn(
    join(stateDirectory({ platform: process.platform, homedir: homedir(), env: process.env }), "self-test.json"),
    Date.now,
  );
}

/**
 * A file that is missing, broken, writable for others, or not ours counts as empty; one that cannot be written is not.
 * Never throws. `clock`: milliseconds since 1970.
 */
export function provenIn(file: string, clock: () => number): ProvenBrowsers {
  const valid = (): [string, number][] => {
    const now = clock();
    return Object.entries(read(file)).filter(([, at]) => at <= now && now - at < VALID_MS);
  };
  return {
    has: (digest) => valid().some(([known]) => known === digest),
    add(digest) {
      const others = valid().filter(([known]) => known !== digest);
      const newest = others.toSorted(([, a], [, b]) => b - a).slice(0, MOST_ENTRIES - 1);
      write(file, Object.fromEntries([[digest, clock()], ...newest]));
    },
  };
}

/** Of all that a pass depends on: our version, the test itself, the browser, and what it was started with. */
export function digestOf(browser: {
  readonly version: string;
  readonly path: string;
  readonly settings: readonly string[];
}): string {
  const parts = [
    packageVersion(),
    process.platform,
    process.arch,
    browser.version,
    browser.path,
    browser.settings,
    selfTestChannels,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function read(file: string): Readonly<Record<string, number>> {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const stats = fstatSync(descriptor);
    const isOurs =
      process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & OTHERS_MAY_WRITE) === 0);
    if (!stats.isFile() || !isOurs || stats.size > LARGEST_FILE_BYTES) return {};
    const parsed = content.safeParse(JSON.parse(readFileSync(descriptor, "utf8")));
    return parsed.success ? parsed.data.passed : {};
  } catch {
    return {};
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** By a new file, so that another process never reads half of it. */
function write(file: string, passed: Readonly<Record<string, number>>): void {
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(fresh, { force: true });
    writeFileSync(fresh, JSON.stringify({ passed }), { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } catch {
    // Then the next start tests again.
  }
}
