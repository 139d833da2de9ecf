import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selfSigned } from "../../src/proxy/certificate.fixture.ts";
import type { Row } from "./row.ts";
import { type Certificate, runRow } from "./run.ts";
import { hostsOf } from "./world.ts";

/** A row opens a browser of its own, two where sessions are compared. */
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
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "benign-"));
    const ca = join(directory, "authority.pem");
    const authority = selfSigned(...new Set(rows.flatMap(({ sites }) => hostsOf(sites))));
    await writeFile(ca, authority.cert);
    certificate = { ...authority, ca };
  });
  afterAll(async () => {
    console.log([...table, ...notCounted.map(({ id, why }) => `not counted: ${id}: ${why}`)].join("\n"));
    await rm(directory, { recursive: true, force: true });
  });

  describe.each(rows.map((row) => [`${row.id} ${row.title}`, row] as const))("%s", (name, row) => {
    test("is done, with the questions of its row", { timeout: ROW_MS }, async () => {
      const { asks = 0 } = row;
      const { questions, ...rest } = await runRow(row, certificate);
      const isDone = Object.values(rest).every((list) => list.length === 0);
      table.push(`${name}: expected ${said(asks)}, got ${said(questions)}, ${isDone ? "done" : "not done"}`);
      expect({ questions, ...rest }).toEqual({ questions: asks, failed: [], unasked: [], missing: [], surplus: [], refused: [] });
    });
  });
}

function said(questions: number): string {
  return questions === 0 ? "allow" : `ask×${questions}`;
}
