import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { Failure } from "../errors.ts";
import { type Account, chooseAccount } from "./account.ts";
import { browserEnvironment } from "./environment.ts";
import { type Exit, watchExit } from "./exit.ts";
import { findBrowser } from "./find.ts";
import { browserFlags, type ProxyAddress } from "./flags.ts";
import { askVersion, CLOSE_MESSAGE_ID, sendBrowserCommand } from "./handshake.ts";
import { killWindowsTree } from "./other-platforms.ts";
import { browserState, profilePreferences } from "./preferences.ts";
import { type Reaper, startReaper } from "./reaper.ts";
import { fillSessionDirectory, nameSessionDirectory, type SessionDirectory, workplaces } from "./session-directory.ts";
import { startFailureMessage } from "./start-failure.ts";

const START_TIMEOUT_MS = 30_000;
const POLITE_CLOSE_MS = 2_000;
/** Stand for the proxy's ports, which are others each time. */
const ANY_PORTS = { port: 1, socketPort: 2 } as const;

export interface LaunchOptions {
  /** A program to run instead of one that is found. */
  readonly path?: string;
  /** Default true. */
  readonly headless?: boolean;
  /** Default true. False adds --no-sandbox; nothing else ever does. */
  readonly sandbox?: boolean;
  /** Chromium's only way out. Without it Chromium connects by itself. */
  readonly proxy?: ProxyAddress;
  /** As in `FlagOptions`. */
  readonly trustedKeys?: readonly string[];
  /** As in `FlagOptions`. */
  readonly hurried?: boolean;
  readonly extraFlags?: readonly string[];
  /** Until the browser answers on the pipe. Default 30,000. */
  readonly timeoutMs?: number;
  /** Cancels the start; has no effect afterwards. */
  readonly signal?: AbortSignal;
  /** Only for proofs that the self-test sees a missing one. No configuration, option or library call leads here. */
  readonly rig?: Rig;
}

/** Takes something away from what a browser is started with. */
export interface Rig {
  flags?(flags: readonly string[]): readonly string[];
  preferences?(preferences: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}

export interface Launched {
  /**
   * Protocol messages, each ended by a NUL byte. Message ids from 2,000,000,000 are taken; an answer to id
   * 2,000,000,002 may come when `close` is called.
   */
  readonly toBrowser: Writable;
  /** Not flowing until somebody listens; nothing after the start was read. Ends when the browser ends. */
  readonly fromBrowser: Readable;
  /** Also the process group that all of Chromium is in. */
  readonly pid: number;
  readonly path: string;
  /** For example "Chrome/156.0.1.2". */
  readonly version: string;
  readonly sandboxed: boolean;
  /** The unprivileged user id that it runs under because we are root; null when it runs under ours. */
  readonly uid: number | null;
  /**
   * All that it was started with and could behave differently for; without what is new each time (profile, port of the
   * proxy).
   */
  readonly settings: readonly string[];
  /** Directory of the browser's user, mode 0700, where its downloads can be written. Goes with the session. */
  readonly downloads: string;
  /** Resolves when the browser has ended, for whatever reason. Never rejects. */
  readonly exited: Promise<Exit>;
  /**
   * Ends the browser and resolves when no process and no file of it is left. Safe to call again, and after it has ended
   * by itself.
   */
  close(): Promise<void>;
}

/**
 * Starts a Chromium with a fresh profile and waits until it answers. However our process ends, browser and profile go
 * with it; the owner still calls `close` on every end it can see.
 * @throws Failure `no_browser` with what to do, `cancelled` by `signal`, `bad_arguments` for an extra flag. Nothing is
 * left behind then.
 */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Launched> {
  const { signal, headless = true, sandbox = true, timeoutMs = START_TIMEOUT_MS } = options;
  stopIfCancelled(signal);
  const found = await findBrowser(options.path === undefined ? {} : { path: options.path });
  const { account, workplace } = await placeFor(found.path);
  stopIfCancelled(signal);

  const directory = nameSessionDirectory(workplace);
  // Before the directory is there: a kill at any moment must find it running.
  const reaper = startReaper(directory.root);
  try {
    const rigged = options.rig?.flags ?? ((flags: readonly string[]) => flags);
    const flagsFor = (profile: string, proxy: ProxyAddress | undefined): readonly string[] =>
      rigged(
        browserFlags({
          headless,
          sandbox,
          profile,
          ...(proxy && { proxy }),
          ...(options.trustedKeys && { trustedKeys: options.trustedKeys }),
          ...(options.hurried && { hurried: options.hurried }),
          ...(options.extraFlags && { extraFlags: options.extraFlags }),
        }),
      );
    const preferences = (options.rig?.preferences ?? ((given) => given))(profilePreferences());
    const flags = flagsFor(directory.profile, options.proxy);
    await fillSessionDirectory(directory, account, {
      preferences,
      xAuthority: headless ? null : xAuthority(process.env),
    }).catch((error: unknown) => {
      throw new Failure(
        "no_browser",
        `No profile can be written in ${workplace}: it must be a folder with free space that this user can write; TMPDIR names another.`,
        { cause: error },
      );
    });
    stopIfCancelled(signal);
    const process_ = await startProcess(found.path, flags, directory, account, reaper);
    const version = await whenUp(process_, { sandbox, timeoutMs, signal });
    return {
      toBrowser: process_.toBrowser,
      fromBrowser: process_.fromBrowser,
      pid: process_.pid,
      path: found.path,
      version,
      sandboxed: sandbox,
      uid: account?.uid ?? null,
      settings: [
        ...flagsFor("", options.proxy && { ...options.proxy, ...ANY_PORTS }),
        JSON.stringify(preferences),
        JSON.stringify(browserState()),
      ],
      downloads: directory.downloads,
      exited: process_.exited,
      close: once(() => endProcess(process_, reaper)),
    };
  } catch (error) {
    await reaper.release();
    throw error;
  }
}

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly toBrowser: Writable;
  readonly fromBrowser: Readable;
  readonly exited: Promise<Exit>;
}

/** As root Chromium refuses its sandbox, so root gives it another user; anybody else is fit to run it. */
async function placeFor(browser: string): Promise<{ account: Account | null; workplace: string }> {
  if (process.getuid?.() === 0) return chooseAccount(browser, workplaces());
  const workplace = workplaces().find((place) => existsSync(place));
  if (workplace === undefined)
    throw new Failure("no_browser", "There is no directory for temporary files: set TMPDIR.");
  return { account: null, workplace };
}

/** The cookie file of the X server; the browser's own HOME does not have it. */
function xAuthority(env: NodeJS.ProcessEnv): string | null {
  const file = env.XAUTHORITY ?? path.join(env.HOME ?? "/", ".Xauthority");
  return existsSync(file) ? file : null;
}

function startProcess(
  program: string,
  flags: readonly string[],
  directory: SessionDirectory,
  account: Account | null,
  reaper: Reaper,
): Promise<Running> {
  return new Promise((resolve, reject) => {
    const notStarted = (cause?: unknown) =>
      reject(new Failure("no_browser", `The browser could not be started: ${program}`, { cause }));
    let child: ChildProcess;
    try {
      child = reaper.start(program, flags, {
        ...account,
        cwd: directory.home,
        env: browserEnvironment(directory, process.env),
      });
    } catch (error) {
      notStarted(error);
      return;
    }
    const exited = watchExit(child);
    child.on("error", notStarted);
    child.on("spawn", () => {
      const [, , , toBrowser, fromBrowser] = child.stdio;
      if (child.pid === undefined || !isWritable(toBrowser) || !isReadable(fromBrowser)) {
        notStarted();
        return;
      }
      // Without a listener a browser that dies while we write would end our process.
      toBrowser.on("error", () => undefined);
      fromBrowser.on("error", () => undefined);
      resolve({ child, pid: child.pid, toBrowser, fromBrowser, exited });
    });
  });
}

const isWritable = (stream: unknown): stream is Writable =>
  typeof stream === "object" && stream !== null && "write" in stream;
const isReadable = (stream: unknown): stream is Readable =>
  typeof stream === "object" && stream !== null && "read" in stream;

async function whenUp(
  running: Running,
  options: { sandbox: boolean; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<string> {
  const { sandbox, timeoutMs, signal } = options;
  const stop = new AbortController();
  const deadline = setTimeout(
    () =>
      stop.abort(
        new Failure("no_browser", `Chromium did not answer within ${Math.round(timeoutMs)} ms after its start.`),
      ),
    timeoutMs,
  );
  const cancel = () => stop.abort(cancelled());
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  try {
    return await Promise.race([
      askVersion(running.toBrowser, running.fromBrowser).catch(async (error: unknown) => {
        const { stderrTail } = await running.exited;
        throw new Failure("no_browser", startFailureMessage(stderrTail, sandbox), { cause: stderrTail || error });
      }),
      new Promise<never>((_, reject) => {
        const fail = () => reject(stop.signal.reason);
        if (stop.signal.aborted) fail();
        else stop.signal.addEventListener("abort", fail, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener("abort", cancel);
  }
}

async function endProcess(running: Running, reaper: Reaper): Promise<void> {
  sendBrowserCommand(running.toBrowser, CLOSE_MESSAGE_ID, "Browser.close");
  // A browser whose answers nobody reads would block on them.
  if (running.fromBrowser.readableFlowing !== true) running.fromBrowser.resume();
  const patience = setTimeout(() => killGroup(running.pid), POLITE_CLOSE_MS);
  await running.exited;
  clearTimeout(patience);
  await reaper.release();
}

function killGroup(pid: number): void {
  if (process.platform === "win32") {
    killWindowsTree(pid);
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}

const cancelled = () => new Failure("cancelled", "The start of the browser was cancelled.");

function stopIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
