import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleStage, exchange, SESSION, stageConsole } from "../console/console.fixture.ts";
import { desktopOpener, liveSessions } from "../console/index.ts";
import { main } from "./main.ts";

const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)\/open#([\w-]{43})/g;

let root: string;
let directory: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "chaperone-console-"));
  directory = join(root, "chaperone", "live");
});
afterEach(() => rm(root, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function console(
  options: {
    readonly argv?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly isTTY?: boolean;
  } = {},
): Promise<Ran> {
  let out = "";
  let err = "";
  const io = {
    stdout: { write: (text: string) => (out += text), isTTY: options.isTTY },
    stderr: { write: (text: string) => (err += text) },
    env: { XDG_STATE_HOME: root, XDG_CONFIG_HOME: root, ...options.env },
  };
  return { code: await main(["console", ...(options.argv ?? [])], io), out, err };
}

const addressesIn = (text: string): { port: number; key: string }[] =>
  [...text.matchAll(ADDRESS)].map(([, port, key = ""]) => ({ port: Number(port), key }));

/** A desktop whose opener notes its arguments and what is in the file they name. */
async function desktop(
  exitCode = 0,
): Promise<{ readonly env: Readonly<Record<string, string>>; opened(): Promise<string> }> {
  const bin = join(root, "bin");
  const log = join(root, "opened");
  await mkdir(bin);
  await writeFile(
    join(bin, "xdg-open"),
    `#!/bin/sh\nprintf '%s\\n' "$#" "$@" >> '${log}'\n/bin/cat "$1" >> '${log}'\nexit ${exitCode}\n`,
  );
  await chmod(join(bin, "xdg-open"), 0o755);
  return { env: { DISPLAY: ":7", PATH: bin }, opened: () => readFile(log, "utf8").catch(() => "") };
}

describe("where others may write", () => {
  it("no entry is believed", async () => {
    await using live = await stageConsole({ sessionId: "live", directory });
    const state = dirname(directory);
    await chmod(state, 0o777);
    expect(await console({ argv: ["--print"] })).toEqual({
      code: 2,
      out: "",
      err: expect.stringContaining("chmod 700"),
    });
    // The control: the entry leads somewhere.
    await chmod(state, 0o700);
    expect(addressesIn((await console({ argv: ["--print"] })).out)).toMatchObject([{ port: live.port }]);
  });
});

describe("without a live session", () => {
  it("says so in one line", async () => {
    expect(await console()).toEqual({ code: 1, out: "", err: "chaperone: no session is live\n" });
  });

  it("removes what ended ones left, and takes nobody else for one", async () => {
    await using other = await stageConsole({ sessionId: "other" });
    const ended = spawnSync("/bin/true").pid;
    const key = "A".repeat(43);
    const left = (name: string, value: unknown): Promise<void> =>
      writeFile(join(directory, name), JSON.stringify(value));
    await mkdir(directory, { recursive: true });
    await left("ended.json", { pid: ended, port: 1, key, started: 1 });
    await writeFile(join(directory, "ended.html"), key);
    await left("broken.json", { pid: process.pid });
    await left("reused.json", { pid: process.pid, port: other.port, key, started: 1 });
    await left("silent.json", { pid: process.pid, port: 1, key, started: 1 });
    await writeFile(join(directory, "notes.txt"), "");
    expect((await console({ argv: ["--print"] })).err).toBe("chaperone: no session is live\n");
    expect(await readdir(directory)).toEqual(["notes.txt", "reused.json", "silent.json"]);
  });
});

describe("with a live session", () => {
  let stage: ConsoleStage;
  beforeEach(async () => {
    stage = await stageConsole({ directory });
  });
  afterEach(() => stage[Symbol.asyncDispose]());

  it("shows the address only to a person at a terminal", async () => {
    const nobody = await console();
    expect(nobody).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/no desktop.*--print/) });
    const { code, out } = await console({ isTTY: true });
    const [address] = addressesIn(out);
    expect([code, address]).toEqual([0, { port: stage.port, key: (await stage.entry()).key }]);
    expect((await exchange(stage.port, address?.key ?? "")).status).toBe(200);
  });

  it("or on request", async () => {
    const screen = await desktop();
    const { code, out } = await console({ argv: ["--print"], env: screen.env });
    expect([code, addressesIn(out).length, await screen.opened()]).toEqual([0, 1, ""]);
  });

  it("opens the browser by a file that only its owner reads, which goes with the key", async () => {
    const screen = await desktop();
    const { code, out, err } = await console({ env: screen.env, isTTY: true });
    const file = join(directory, `${SESSION}.html`);
    const { key } = await stage.entry();
    expect([code, addressesIn(out + err)]).toEqual([0, []]);
    expect(out + err).not.toContain(key);
    expect((await screen.opened()).split("\n").slice(0, 2)).toEqual(["1", file]);
    expect(addressesIn(await screen.opened())).toEqual(Array(2).fill({ port: stage.port, key }));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await exchange(stage.port, key)).status).toBe(200);
    expect(await readdir(directory)).toEqual([`${SESSION}.json`]);
  });

  it("shows the address when no browser opens, to a person only", async () => {
    const screen = await desktop(3);
    expect(addressesIn((await console({ env: screen.env, isTTY: true })).out).length).toBe(1);
    expect(await console({ env: screen.env })).toMatchObject({ code: 1, out: "" });
  });

  it("opens all, or the one that is named", async () => {
    await using second = await stageConsole({ directory, sessionId: "second", clock: () => 0 });
    const all = await console({ argv: ["--print"] });
    expect(addressesIn(all.out).map(({ port }) => port)).toEqual([second.port, stage.port]);
    expect(
      addressesIn((await console({ argv: ["--print", "--session", SESSION] })).out).map(({ port }) => port),
    ).toEqual([stage.port]);
    const none = await console({ argv: ["--print", "--session", "third"] });
    expect(none).toMatchObject({ code: 1, out: "", err: expect.stringContaining(`second, ${SESSION}`) });
  });

  it("finds nothing once it is closed", async () => {
    expect((await liveSessions(directory)).length).toBe(1);
    await stage.console.close();
    expect(await liveSessions(directory)).toEqual([]);
  });
});

it("a directory that others may read is closed to them, one that is a link is not used", async () => {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  {
    await using open = await stageConsole({ directory });
    expect(open.port).toBeGreaterThan(0);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  }
  const link = join(root, "link");
  await symlink(directory, link);
  await using linked = await stageConsole({ directory: link });
  expect(linked.console.port).toBeNull();
});

describe("there is a desktop", () => {
  it.each<[string, NodeJS.Platform, Record<string, string>, boolean]>([
    ["with X", "linux", { DISPLAY: ":0" }, true],
    ["with Wayland", "linux", { WAYLAND_DISPLAY: "wayland-0" }, true],
    ["without a screen", "linux", {}, false],
    ["with an empty screen", "linux", { DISPLAY: "" }, false],
    ["in CI", "linux", { DISPLAY: ":0", CI: "true" }, false],
    ["where CI is off", "linux", { DISPLAY: ":0", CI: "false" }, true],
    ["on macOS", "darwin", {}, true],
    ["on macOS from afar", "darwin", { SSH_CONNECTION: "a b c d" }, false],
    ["on Windows", "win32", {}, true],
    ["on Windows in CI", "win32", { CI: "1" }, false],
  ])("%s", (_name, platform, env, is) => {
    expect(desktopOpener(platform, env) !== null).toBe(is);
  });
});
