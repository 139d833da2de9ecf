import { expect, it } from "vitest";
import { managedDirectory, stateDirectory, userConfigDirectory } from "./places.ts";

const linux = (env: Record<string, string>) => ({ platform: "linux" as const, homedir: "/home/ada", env });

it("follows XDG on Linux", () => {
  expect(userConfigDirectory(linux({}))).toBe("/home/ada/.config/chaperone");
  expect(userConfigDirectory(linux({ XDG_CONFIG_HOME: "/c" }))).toBe("/c/chaperone");
  expect(userConfigDirectory(linux({ XDG_CONFIG_HOME: "relative" }))).toBe("/home/ada/.config/chaperone");
  expect(stateDirectory(linux({}))).toBe("/home/ada/.local/state/chaperone");
  expect(stateDirectory(linux({ XDG_STATE_HOME: "/s" }))).toBe("/s/chaperone");
  expect(managedDirectory("linux")).toBe("/etc/chaperone");
});

it("has the usual places on macOS and Windows", () => {
  expect(userConfigDirectory({ platform: "darwin", homedir: "/Users/ada", env: { XDG_CONFIG_HOME: "/c" } })).toBe(
    "/Users/ada/Library/Application Support/chaperone",
  );
  expect(userConfigDirectory({ platform: "win32", homedir: "C:\\Users\\ada", env: {} })).toBe(
    "C:\\Users\\ada\\AppData\\Roaming\\chaperone",
  );
  expect(stateDirectory({ platform: "win32", homedir: "C:\\Users\\ada", env: { LOCALAPPDATA: "D:\\l" } })).toBe(
    "D:\\l\\chaperone",
  );
  expect(managedDirectory("darwin")).toBe("/Library/Application Support/chaperone");
  expect(managedDirectory("win32")).toBe("C:\\ProgramData\\chaperone");
});
