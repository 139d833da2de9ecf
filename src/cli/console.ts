import { homedir } from "node:os";
import {
  addressOf,
  desktopOpener,
  type LiveSession,
  liveSessions,
  liveSessionsDirectory,
  type Opener,
  writeOpening,
} from "../console/index.ts";
import type { ConsoleArgs, Io } from "./command.ts";
import { EXIT } from "./exit.ts";

/**
 * Opens the console of each live session; an address is only shown where a person looks, or on request: it is as good
 * as a password.
 */
export async function run({ print, session }: ConsoleArgs, io: Io): Promise<number> {
  const say = (line: string): void => void io.stderr.write(`chaperone: ${line}\n`);
  const directory = liveSessionsDirectory({ platform: process.platform, homedir: homedir(), env: io.env });
  const live = await liveSessions(directory);
  const chosen = live.filter(({ sessionId }) => session === null || sessionId === session);
  if (chosen.length === 0) {
    say(
      live.length === 0
        ? "no session is live"
        : `no live session has that id; there are: ${live.map(({ sessionId }) => sessionId).join(", ")}`,
    );
    return EXIT.failed;
  }
  const opener = print ? null : desktopOpener(process.platform, io.env);
  const mayPrint = print || io.stdout.isTTY === true;
  let code: number = EXIT.done;
  for (const one of chosen) {
    const opened = opener !== null && (await openOne(opener, directory, one));
    if (opened) io.stdout.write(`${nameOf(one)}: opened in the browser\n`);
    else if (mayPrint) io.stdout.write(`${nameOf(one)}: ${addressOf(one)}\n`);
    else {
      say(`${nameOf(one)}: there is no desktop to open a browser on; chaperone console --print prints the address`);
      code = EXIT.failed;
    }
  }
  return code;
}

async function openOne(opener: Opener, directory: string, session: LiveSession): Promise<boolean> {
  try {
    await opener(await writeOpening(directory, session.sessionId, addressOf(session)));
    return true;
  } catch {
    return false;
  }
}

function nameOf({ sessionId, pid, started }: LiveSession): string {
  return `session ${sessionId} (process ${pid}, since ${new Date(started).toISOString()})`;
}
