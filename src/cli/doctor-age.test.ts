import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkAge, daysOld } from "./doctor-age.ts";

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const NOW = at("2026-11-30");

test.each<[string, string | null, string | null, number | null]>([
  ["built some days ago", "Chrome/156.0.8078.114", "2026-11-26", 4],
  ["built long ago", "Chrome/150.0.7871.100", "2026-07-07", 146],
  ["copied today, and its next version came on 14 July", "Chrome/150.0.7871.100", "2026-11-30", 139],
  ["copied today, and its next version came on 8 September", "Chrome/152.0.1.2", "2026-11-30", 83],
  ["of no known release", "Chrome/153.0.1.2", "2026-11-30", 0],
  ["a file from the days before Chromium", "Chrome/156.0.1.2", "1980-01-01", null],
  ["a file from tomorrow", "Chrome/156.0.1.2", "2026-12-01", 0],
  ["did not start", null, "2026-11-20", 10],
  ["nothing known", null, null, null],
])("%s", (_, version, file, days) => {
  expect(daysOld(version, file === null ? null : at(file), NOW)).toBe(days);
});

function program(day: string): string {
  const directory = mkdtempSync(join(tmpdir(), "age-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "chromium");
  writeFileSync(path, "");
  utimesSync(path, new Date(at(day)), new Date(at(day)));
  return path;
}

test("young is well, old is a warning that says what to do", async () => {
  const version = "Chrome/156.0.8078.114";
  const clock = () => NOW;
  expect(await checkAge({ path: program("2026-11-01"), version }, { clock })).toEqual({
    name: "browser's age",
    ok: true,
    says: "at least 29 days old",
    mend: null,
  });
  expect(await checkAge({ path: program("2026-08-01"), version }, { clock })).toMatchObject({
    ok: true,
    says: "at least 121 days old",
    mend: expect.stringContaining("update it"),
  });
});

test("a newer one in the package lists is a warning whatever its age", async () => {
  const askApt = async () => "chromium:\n  Installed: 150.0.1.2-1\n  Candidate: 156.0.3.4-1\n";
  const check = await checkAge({ path: "/usr/lib/chromium/chromium", version: null }, { clock: () => 0, askApt });
  expect(check).toMatchObject({
    ok: true,
    says: expect.stringContaining("156.0.3.4-1 is offered"),
    mend: expect.stringMatching(/^apt-get install chromium/),
  });
});
