import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

/**
 * `recorded`: an outcome of plain Chromium is taken from the record of this version, and run where it has none.
 * `fresh`: every one is run, and compared with the record. `written`: every one is run and becomes the record.
 */
type Mode = "recorded" | "fresh" | "written";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
interface Entry {
  readonly name: string;
  readonly outcome: Json;
}

const DIRECTORY = fileURLToPath(new URL("controls/", import.meta.url));

/**
 * What plain Chromium does with the scenarios of one test file: data, by Chromium's major version and the scenario's content, in `test/controls/<version>/<suite>.json`.
 * A scenario that has changed, or a Chromium that has no record, is run.
 */
export class Controls {
  readonly #file: string;
  readonly #mode: Mode;
  readonly #known: ReadonlyMap<string, Entry>;
  readonly #seen = new Map<string, Entry>();
  #counts = { recorded: 0, run: 0 };

  constructor(suite: string) {
    this.#mode = modeOf(process.env.CHAPERONE_CONTROLS);
    this.#file = join(DIRECTORY, versionOf(process.env.CHAPERONE_TEST_CHROMIUM), `${suite}.json`);
    this.#known = new Map(existsSync(this.#file) ? Object.entries(JSON.parse(readFileSync(this.#file, "utf8"))) : []);
  }

  /** The outcome of one scenario. `content`: all that decides it, as data, so that a changed scenario has a record of its own. */
  async outcome<T extends Json>(name: string, content: Json, run: () => Promise<T>): Promise<T> {
    const key = keyOf(name, content);
    const known = this.#known.get(key);
    if (known !== undefined && this.#mode === "recorded") {
      this.#counts.recorded++;
      this.#seen.set(key, known);
      return known.outcome as T;
    }
    const outcome = await run();
    this.#counts.run++;
    this.#seen.set(key, { name, outcome });
    if (known !== undefined && this.#mode === "fresh")
      expect(outcome, `plain Chromium did something else than its record of "${name}" says`).toEqual(known.outcome);
    return outcome;
  }

  /** True of a scenario that this version's record does not have, though there is one: nobody has looked at its outcome yet. */
  isNew(name: string, content: Json): boolean {
    return this.#mode !== "written" && this.#known.size > 0 && !this.#known.has(keyOf(name, content));
  }

  /** After the last scenario: tells the run how many came from the record and, where that is asked for, writes the record. */
  close(): void {
    const tally = process.env.CHAPERONE_CONTROLS_TALLY;
    if (tally !== undefined) appendFileSync(tally, `${JSON.stringify(this.#counts)}\n`);
    if (this.#mode !== "written") return;
    mkdirSync(join(this.#file, ".."), { recursive: true });
    const sorted = [...this.#seen].sort(([, a], [, b]) => (a.name < b.name ? -1 : 1));
    writeFileSync(
      this.#file,
      `{\n${sorted.map(([key, entry]) => `  ${JSON.stringify(key)}: ${JSON.stringify(entry)}`).join(",\n")}\n}\n`,
    );
  }
}

function keyOf(name: string, content: Json): string {
  return createHash("sha256")
    .update(JSON.stringify([name, content]))
    .digest("hex")
    .slice(0, 24);
}

function modeOf(named: string | undefined): Mode {
  if (named === undefined || named === "recorded") return "recorded";
  if (named === "fresh" || named === "written") return named;
  throw new Error(`CHAPERONE_CONTROLS is recorded, fresh or written, not ${named}`);
}

function versionOf(version: string | undefined): string {
  const major = /^\d+/.exec(version ?? "")?.[0];
  if (major === undefined) throw new Error("the version of Chromium is not known: test/global-setup.ts looks it up");
  return major;
}
