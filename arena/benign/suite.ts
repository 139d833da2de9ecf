import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selfSigned } from "../../src/session/self-test/certificate.ts";
import type { Row } from "./row.ts";
import { type Certificate, type Outcome, Place } from "./run.ts";
import { hostsOf } from "./world.ts";

/** A row may open a browser of its own, two where sessions are compared. */
const ROW_MS = 60_000;

export interface NotCounted {
  readonly id: string;
  readonly why: string;
}

/** A test a row, and a table of what was expected and what came of it. */
export function rowsAreDone(rows: readonly Row[], notCounted: readonly NotCounted[] = []): void {
  const table: string[] = [];
  let directory: string;
  let certificate: Certificate;
  const places = new Map<string, Promise<Place>>();
  const sharing = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const others = sharing.get(keyOf(row));
    if (others === undefined) sharing.set(keyOf(row), [row]);
    else others.push(row);
  }

  async function run(row: Row): Promise<Outcome> {
    const key = keyOf(row);
    const together = sharing.get(key) ?? [row];
    const opened = places.get(key) ?? Place.open(together, certificate);
    if (together.length > 1) places.set(key, opened);
    const place = await opened;
    try {
      return await place.run(row);
    } finally {
      if (together.length === 1) await place.close();
    }
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "benign-"));
    const ca = join(directory, "authority.pem");
    const authority = selfSigned(...new Set(rows.flatMap(({ sites }) => hostsOf(sites))));
    await writeFile(ca, authority.cert + authority.key);
    certificate = { ...authority, ca };
  });
  afterAll(async () => {
    await Promise.all([...places.values()].map(async (place) => (await place).close()));
    console.log([...table, ...notCounted.map(({ id, why }) => `not counted: ${id}: ${why}`)].join("\n"));
    await rm(directory, { recursive: true, force: true });
  });

  describe.each(rows.map((row) => [`${row.id} ${row.title}`, row] as const))("%s", (name, row) => {
    test("is done, with the questions of its row", { timeout: ROW_MS }, async () => {
      const { asks = 0 } = row;
      const { questions, received, ...rest } = await run(row);
      const isDone = Object.values(rest).every((list) => list.length === 0);
      table.push(`${name}: expected ${said(asks)}, got ${said(questions)}, ${isDone ? "done" : "not done"}`);
      expect({ questions, ...rest }, `received: ${JSON.stringify(received, null, 1)}`).toEqual({
        questions: asks,
        failed: [],
        unasked: [],
        missing: [],
        surplus: [],
        refused: [],
      });
    });
  });
}

/** Rows with the same key share a session. */
function keyOf({ id, title, options, fresh, untrusted, sessions }: Row): string {
  const isAlone = fresh !== undefined || untrusted === true || sessions !== undefined || typeof options === "function";
  return isAlone ? `${id} ${title}` : JSON.stringify(options);
}

function said(questions: number): string {
  return questions === 0 ? "allow" : `ask×${questions}`;
}
