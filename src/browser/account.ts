import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { Failure } from "../errors.ts";

/** The ids that Chromium runs under. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Above the ranges of people, services and containers, below the largest signed id. */
const PRIVATE_IDS = { from: 1_900_000_000, to: 2_100_000_000 };
/**
 * Containers often map 65,536 ids only; in those these belong to no person (systemd keeps them for services that come
 * and go).
 */
const SMALL_IDS = { from: 61_184, to: 65_520 };
/** "nobody", the last that a container has when it has any. */
const NOBODY = 65_534;

/** Ids to try, best first. A fresh one per session keeps sessions from each other's files and processes. */
export function accountsToTry(random: (from: number, to: number) => number = randomInt): Account[] {
  return [random(PRIVATE_IDS.from, PRIVATE_IDS.to), random(SMALL_IDS.from, SMALL_IDS.to), NOBODY].map((id) => ({
    uid: id,
    gid: id,
  }));
}

const CANNOT_RUN_BROWSER = 3;
const NO_WORKPLACE = 4;
const probeScript = `
  [ -x "$1" ] || exit ${CANNOT_RUN_BROWSER}
  shift
  for place do [ -d "$place" ] && [ -x "$place" ] && { printf %s "$place"; exit 0; }; done
  exit ${NO_WORKPLACE}
`;

export interface ChosenAccount {
  readonly account: Account;
  /** The first of the given directories that this account can enter. */
  readonly workplace: string;
}

/**
 * For root only: unprivileged ids that can run the browser and reach a directory, tried by a program run under them.
 * @throws Failure `no_browser` that says what is in the way.
 */
export async function chooseAccount(
  browser: string,
  workplaces: readonly string[],
  accounts: readonly Account[] = accountsToTry(),
): Promise<ChosenAccount> {
  for (const account of accounts) {
    const probe = await runProbe(account, browser, workplaces);
    if (probe === "ids unusable") continue;
    if (probe.code === 0) return { account, workplace: probe.output };
    if (probe.code === CANNOT_RUN_BROWSER) {
      throw new Failure(
        "no_browser",
        `As root the browser runs under an unprivileged user, and that user cannot run ${browser}: make the file and the folders above it readable for all, or name another with --browser PATH.`,
      );
    }
    if (probe.code === NO_WORKPLACE) {
      throw new Failure(
        "no_browser",
        `As root the browser runs under an unprivileged user, and that user can enter none of ${workplaces.join(", ")}: set TMPDIR to a folder that all users can enter.`,
      );
    }
    throw new Failure(
      "no_browser",
      `As root the browser runs under an unprivileged user, and a trial program under it ended with ${probe.code ?? "a signal"}.`,
    );
  }
  throw new Failure(
    "no_browser",
    "As root the browser runs under an unprivileged user, and here no other user id can be used (a container that maps only one?). Run as an ordinary user.",
  );
}

function runProbe(
  account: Account,
  browser: string,
  workplaces: readonly string[],
): Promise<"ids unusable" | { code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) => {
      if (isUnusableId(error)) resolve("ids unusable");
      else
        reject(
          new Failure("no_browser", "A trial program could not be run under an unprivileged user.", { cause: error }),
        );
    };
    let child: ReturnType<typeof startProbe>;
    try {
      child = startProbe(account, browser, workplaces);
    } catch (error) {
      // Node throws EINVAL and EPERM, and reports other errors as an event.
      failed(error);
      return;
    }
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.on("error", failed);
    child.on("close", (code) => resolve({ code, output }));
  });
}

function startProbe(account: Account, browser: string, workplaces: readonly string[]) {
  return spawn("/bin/sh", ["-c", probeScript, "sh", browser, ...workplaces], {
    ...account,
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function isUnusableId(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EINVAL" || error.code === "EPERM");
}
