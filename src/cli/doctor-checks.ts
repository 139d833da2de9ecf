import { mkdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { findBrowser } from "../browser/find.ts";
import { type Config, ConfigError, ownStateDirectory } from "../config/index.ts";
import { Failure } from "../errors.ts";
import { startEgress } from "../session/egress.ts";
import { type TestedStart, testStart } from "../session/self-test/alone.ts";
import { BESIDE_PROXY, type StoppedBy } from "../session/self-test/channels.ts";
import type { Check } from "./check.ts";
import type { ConfigSources } from "./command.ts";
import { checkAge } from "./doctor-age.ts";

const OLDEST_NODE = { major: 20, minor: 19 } as const;

const good = (name: string, says: string): Check => ({ name, ok: true, says, mend: null });
const bad = (name: string, says: string, mend: string): Check => ({ name, ok: false, says, mend });

export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
  return isNew
    ? good("node", version)
    : bad("node", `${version} is too old`, `install Node ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or later`);
}

/** Where what is set was set. That the configuration can be read is known: else no command runs. */
export function checkConfiguration(sources: ConfigSources): Check {
  const set = [...sources].filter(([, source]) => source !== "default").map(([key, source]) => `${key} from ${source}`);
  return good("configuration", set.length === 0 ? "nothing is set, all defaults" : set.join(", "));
}

/** Whether the record of decisions can be written: without it nothing is done. */
export async function checkLedger(
  config: Pick<Config, "ledger">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Check> {
  try {
    // Where the signing key lies, whatever file the record has.
    const state = ownStateDirectory({ platform: process.platform, homedir: homedir(), env });
    return await checkWritable(config.ledger.file === undefined ? join(state, "ledgers") : dirname(config.ledger.file));
  } catch (error) {
    if (!ConfigError.is(error)) throw error;
    return bad("ledger", "the directory of what is kept is not yours alone", error.message);
  }
}

async function checkWritable(directory: string): Promise<Check> {
  const probe = join(directory, `.doctor-${process.pid}`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(probe, "", { flag: "wx", mode: 0o600 });
    await rm(probe);
    return good("ledger", `${directory} can be written`);
  } catch {
    return bad(
      "ledger",
      `${directory} cannot be written`,
      "make it writable for this user, or name another file with --ledger",
    );
  }
}

export async function checkFound(config: Pick<Config, "browser">): Promise<Check> {
  try {
    const { path, source } = await findBrowser(config.browser.path === undefined ? {} : { path: config.browser.path });
    return good("browser", `${path} (${source})`);
  } catch (error) {
    if (!Failure.is(error)) throw error;
    return bad(
      "browser",
      error.message,
      config.browser.path === undefined
        ? "chaperone install"
        : "name another one with --browser (browser.path), or none",
    );
  }
}

/** Whether a port on loopback can be had for the proxy. */
export async function checkProxy(): Promise<Check> {
  try {
    const egress = await startEgress({
      allowAddress: () => false,
      hostMap: new Map(),
      onDecision: () => {},
      now: () => performance.now(),
    });
    await egress.close();
    return good("proxy", `listens on ${egress.address.host}, a free port each time`);
  } catch {
    return bad("proxy", "no port on loopback can be had", "allow programs to listen on 127.0.0.1");
  }
}

/** Starts the browser and lists all that its start and its self-test show. */
export async function checkStart(
  config: Pick<Config, "browser" | "navigationTimeoutMs">,
  start: typeof testStart = testStart,
): Promise<readonly Check[]> {
  const outcome = await start({
    browser: config.browser,
    startTimeoutMs: config.navigationTimeoutMs,
    now: () => performance.now(),
  });
  const launched = outcome.tested?.launched;
  const age = launched === undefined ? [] : [await checkAge(launched, { clock: Date.now })];
  return [...age, ...startChecks(outcome)];
}

/** In lines what came of a start. */
export function startChecks({ tested, failure }: TestedStart): readonly Check[] {
  if (tested === null)
    return [
      bad(
        "start",
        failure?.message ?? "the self-test did not run",
        "mend what the line says, then run chaperone doctor again",
      ),
    ];
  const { launched, report } = tested;
  const user =
    launched.uid === null ? "this user" : `user ${launched.uid}, another one each time, because this one is root`;
  const channels = report.channels.map(({ name, arrived, seen }) =>
    arrived
      ? bad(
          `self-test: ${name}`,
          "got out beside the guard",
          "do not use this browser: take another (--browser PATH, chaperone install) and report this line",
        )
      : good(`self-test: ${name}`, name === BESIDE_PROXY ? "it came by the proxy" : STOPPED[seen]),
  );
  return [
    good("start", `${launched.version}, as ${user}`),
    launched.sandboxed
      ? good("sandbox", "on")
      : bad(
          "sandbox",
          "off: a page that breaks Chromium then has the rights of its user",
          "leave out --no-sandbox (browser.sandbox)",
        ),
    good("profile", `a new one each time, below ${dirname(dirname(launched.downloads))}`),
    ...channels,
    report.proves
      ? good("self-test", `what was allowed arrived, nothing else did; ${report.tookMs} ms`)
      : bad(
          "self-test",
          "its page did not load, or what was allowed did not arrive: the lines above prove nothing",
          "run chaperone doctor again; a slow machine may need --navigation-timeout",
        ),
  ];
}

const STOPPED: Readonly<Record<StoppedBy, string>> = {
  wire: "refused before it left the page",
  browser: "Chromium did not try",
  proxy: "refused by the proxy",
};

/** What is not promised with a browser that somebody else started. */
export const attachedChecks: readonly Check[] = [
  [
    "sockets and addresses",
    "pass a proxy of ours only where that browser runs on this machine (Linux); elsewhere sockets are not stopped, and names lead where it finds them",
  ],
  ["WebRTC and look-ups", "WebRTC over UDP, and the look-ups that it and pages ask for, do not pass any proxy"],
  [
    "speculation",
    "prefetch and prerender are as its owner has set them; with our proxy they come no further than hosts that are open",
  ],
  [
    "sandbox and profile",
    "its flags, sandbox, profile and extensions are its owner's; other programs may hold the same tabs",
  ],
  ["self-test", "is not made there"],
].map(([name = "", says = ""]) =>
  bad(`attached: ${name}`, says, "unproven: leave out --cdp-url (browser.cdpUrl) where you need it"),
);
