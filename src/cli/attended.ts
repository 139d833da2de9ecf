import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { type Extras, type OpenedSession, offerOf, openToolbox } from "../assembly/open.ts";
import type { Config } from "../config/index.ts";
import { type Console, desktopOpener, liveSessionsDirectory, startConsole } from "../console/index.ts";
import { processTerminal } from "../guard/index.ts";
import type { Approver } from "../types.ts";

const ID_BYTES = 8;

/** Of all consoles of this process: no session's browser reaches any of them. */
const consolePorts = new Set<number>();

export interface Attended {
  /** Names the session, for a person who has several. */
  readonly title: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether questions may be asked on our own terminal: not where stdin is the protocol. */
  readonly terminal: boolean;
  /** Of this process, which the session's browser never reaches. */
  readonly ports?: readonly number[];
}

type Given = Omit<Extras, "channels" | "closing" | "id" | "ownPorts">;

/** What `openAttended` will open. */
export function offerAttended(config: Config, extras: Given, attended: Attended): ReturnType<typeof offerOf> {
  return offerOf(config, { ...extras, channels: channelsOf(config, attended, async () => null) });
}

/**
 * A session with the channels that a command line has: the console, and the terminal where it is free. Throws what is
 * wrong with the configuration.
 */
export function openAttended(config: Config, extras: Given, attended: Attended): OpenedSession {
  const id = randomBytes(ID_BYTES).toString("hex");
  let console: Promise<Console> | null = null;
  let port: number | null = null;
  const session = openToolbox(config, {
    ...extras,
    id,
    channels: channelsOf(config, attended, async () => (await console)?.approver ?? null),
    ownPorts: () => [...(attended.ports ?? []), ...consolePorts],
    closing: async () => {
      await (await console)?.close();
      if (port !== null) consolePorts.delete(port);
    },
  });
  if (!config.approve.includes("console")) return session;
  console = startConsole({
    sessionId: id,
    directory: liveSessionsDirectory({ platform: process.platform, homedir: homedir(), env: attended.env }),
    clock: Date.now,
    random: (bytes) => randomBytes(bytes),
    // The browser on the desktop may be the one that the agent works in.
    openBrowser: config.browser.cdpUrl === undefined,
    addOperatorText: (text) => said(session, text),
    addSite: (site) => said(session, site),
    status: () => ({ mode: session.mode, profile: config.profile, sites: session.sites, recent: session.recent() }),
    title: attended.title,
  });
  void console.then((started) => {
    port = started.port;
    if (port !== null) consolePorts.add(port);
  });
  return session;
}

function channelsOf(
  config: Config,
  { terminal, env }: Attended,
  console: () => Promise<Approver | null>,
): NonNullable<Extras["channels"]> {
  const isUnseen = config.browser.cdpUrl !== undefined || desktopOpener(process.platform, env) === null;
  return {
    console: {
      name: "console",
      person: true,
      unsure: false,
      ask: async (question, signal) => {
        // Where no browser opens by itself, whoever reads the log is told; never where the page is.
        if (isUnseen)
          process.stderr.write(`chaperone: ${question.id} waits for an answer; chaperone console shows it\n`);
        return (await console())?.ask(question, signal) ?? null;
      },
    },
    terminal: terminal && config.approve.includes("terminal") ? processTerminal() : undefined,
  };
}

function said(session: OpenedSession, text: string): null {
  session.addOperatorText(text);
  return null;
}
