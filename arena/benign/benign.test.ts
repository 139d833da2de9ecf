import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selfSigned } from "../../src/proxy/certificate.fixture.ts";
import { actingRows } from "./acting.ts";
import { everydayRows } from "./everyday.ts";
import { NOT_COUNTED } from "./not-counted.ts";
import { readingRows } from "./reading.ts";
import type { Row } from "./row.ts";
import { type Certificate, runRow } from "./run.ts";
import { signInRows } from "./signing-in.ts";
import { hostsOf } from "./world.ts";

const rows: readonly Row[] = [...readingRows, ...signInRows, ...actingRows, ...everydayRows];
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
  console.log([...table.toSorted(), ...NOT_COUNTED.map(({ id, why }) => `not counted: ${id}: ${why}`)].join("\n"));
  await rm(directory, { recursive: true, force: true });
});

describe.each(rows.map((row) => [`${row.id} ${row.title}`, row] as const))("%s", (name, row) => {
  test("is done, with the questions of its row", async () => {
    const began = performance.now();
    const outcome = await runRow(row, certificate);
    const { asks = 0 } = row;
    table.push(`${name}: expected ${asks}, got ${outcome.questions} questions ${Math.round(performance.now() - began)} ms`);
    expect(outcome).toEqual({ questions: asks, failed: [], unasked: [], missing: [], surplus: [], refused: [] });
  });
});
