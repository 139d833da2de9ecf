import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Failure } from "../errors.ts";
import { accountsToTry, chooseAccount } from "./account.ts";

const LARGEST_ID = 2 ** 31 - 1;
const isRoot = process.getuid?.() === 0;

test("no id to try is root's, a person's or out of range", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (share) => {
      for (const { uid, gid } of accountsToTry((from, to) => from + Math.floor(share * (to - from)))) {
        expect(uid).toBeGreaterThanOrEqual(61_184);
        expect(uid).toBeLessThanOrEqual(LARGEST_ID);
        expect(gid).toBe(uid);
      }
    }),
  );
});

test("ids that cannot be used are passed over, and when all are it is said", async () => {
  const unusable = [
    { uid: -1, gid: -1 },
    { uid: -1, gid: 0 },
  ];
  const outcome = await chooseAccount("/bin/sh", ["/"], unusable).catch((error: unknown) => error);
  expect(Failure.is(outcome) && outcome.message).toContain("no other user id can be used");
});

// An ordinary user never chooses an account; there the refusal above is all that can be reached.
if (isRoot) {
  describe("as root", () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "account-test-"));
      await chmod(folder, 0o755);
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    test("the first directory that the account can enter is taken", async () => {
      const closed = path.join(folder, "closed", "below");
      await mkdir(closed, { recursive: true });
      await chmod(path.join(folder, "closed"), 0o700);
      const chosen = await chooseAccount("/bin/sh", [path.join(folder, "missing"), closed, folder]);
      expect(chosen.workplace).toBe(folder);
      expect(chosen.account.uid).toBeGreaterThan(0);
    });

    test("no such directory is a clear error", async () => {
      await chmod(folder, 0o700);
      const outcome = await chooseAccount("/bin/sh", [folder]).catch((error: unknown) => error);
      expect(Failure.is(outcome) && outcome.message).toContain("set TMPDIR");
    });

    test("a browser that the account cannot run is a clear error", async () => {
      const browser = path.join(folder, "browser");
      await writeFile(browser, "#!/bin/sh\n");
      await chmod(browser, 0o700);
      const outcome = await chooseAccount(browser, ["/"]).catch((error: unknown) => error);
      expect(Failure.is(outcome) && outcome.code).toBe("no_browser");
      expect(Failure.is(outcome) && outcome.message).toContain(`cannot run ${browser}`);
    });
  });
}
