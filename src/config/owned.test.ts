import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isSomebodyElses, ownStateDirectory } from "./owned.ts";

const SOMEBODY = 12_345;
let home: string;
let state: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "chaperone-owned-"));
  state = join(home, "chaperone");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function directory(mode: number): void {
  mkdirSync(state);
  chmodSync(state, mode);
}

const machine = () => ({ platform: "linux" as const, homedir: "/nowhere", env: { XDG_STATE_HOME: home } });

it("is taken where it is ours alone, or not there yet", () => {
  expect(ownStateDirectory(machine())).toBe(state);
  mkdirSync(state, { mode: 0o700 });
  expect(ownStateDirectory(machine())).toBe(state);
});

it.each([
  ["others may write there", () => directory(0o777), /chmod 700/],
  ["a group may", () => directory(0o770), /chmod 700/],
  ["it is a file", () => writeFileSync(state, ""), /directory of your own/],
  ["it leads elsewhere", () => symlinkSync(home, state), /directory of your own/],
])("is not taken where %s", (_, make, why) => {
  make();
  expect(() => ownStateDirectory(machine())).toThrow(why);
});

// Only root can give a directory away.
it.runIf(process.getuid?.() === 0)("is not taken where it belongs to another user", () => {
  mkdirSync(state);
  chownSync(state, SOMEBODY, SOMEBODY);
  expect(() => ownStateDirectory(machine())).toThrow(/another user/);
});

it("belongs to us, to root, or to somebody else", () => {
  expect([process.getuid?.() ?? 0, 0, SOMEBODY].map((uid) => isSomebodyElses({ uid }))).toEqual([false, false, true]);
});
