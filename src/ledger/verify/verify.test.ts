import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyLedger } from "../index.ts";
import { type Folder, folder, ordinarySession } from "../ledger.fixture.ts";

let it: Folder;
beforeEach(() => {
  it = folder();
});
afterEach(() => it[Symbol.dispose]());

describe("a ledger as it was written", () => {
  test("is right, and closed", async () => {
    const log = it.open();
    const names = ordinarySession(log, 3);
    log.close();
    const result = await verifyLedger(it.file);
    expect(result.bad).toBe(null);
    expect(result).toMatchObject({ ok: true, records: names.length + 1, isClosed: true, openIntents: [] });
  });
});
