import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { descendantsOf } from "../../src/browser/processes.fixture.ts";
import { type CallableSession, type OpenedSession, openSession } from "../../src/index.ts";
import { chromiums, profileOf } from "../bad-input/support.ts";
import { memory } from "../hostile/support.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";

/** `npm run soak -- --sessions 16 --minutes 60` gives others. */
const SESSIONS = Number(process.env.CHAPERONE_SOAK_SESSIONS ?? 4);
const MINUTES = Number(process.env.CHAPERONE_SOAK_MINUTES ?? 1);
/** After each of these all sessions rest on the same page, and are measured. */
const ROUNDS = 6;
const MS_A_MINUTE = 60_000;
const ROUND_MS = (MINUTES * MS_A_MINUTE) / ROUNDS;
/** What opening and closing so many browsers, and the last visit of each round, may take beyond. */
const BEYOND_MS = 60_000 + SESSIONS * 10_000;
const SETTLED_MS = 15_000;
const BYTES_PER_MB = 1_048_576;
const KB_PER_MB = 1_024;

/** Playwright keeps what it knows of the newest 10,000 documents of a session; a visit loads seven. */
const KEPT_A_VISIT_MB = 0.3;

/** Since the second round, when everything had been done once: what is more than this would grow for ever. */
const mayGrow = (more: number) => ({
  heldMb: 2 + SESSIONS + more * KEPT_A_VISIT_MB,
  openFiles: 2 * SESSIONS,
  // A popup's own is kept for the next one.
  processes: 2 * SESSIONS,
  profileFiles: 50 * SESSIONS,
});

interface Sample {
  /** Of this process, garbage aside; in all. */
  readonly heldMb: number;
  readonly residentMb: number;
  readonly openFiles: number;
  /** Chromium's, with what they hold together. */
  readonly processes: number;
  readonly chromiumMb: number;
  /** In the profiles' directories. */
  readonly profileFiles: number;
  readonly profileMb: number;
  readonly ledgerMb: number;
  readonly visits: number;
}

let server: RecordingServer;
let directory: string;
let sessions: readonly OpenedSession[] = [];
let visits = 0;

beforeAll(async () => {
  server = await recordingServer();
  server.html("/rest", "<title>Rest</title><h1>Resting</h1>");
  server.html(
    "/work",
    `<title>Work</title><h1>Work</h1><form><label>Note <input id="note"></label></form><button id="save">Save</button><button id="ask">Ask</button><a href="/next">Next</a> <a href="/popup" target="_blank">Popup</a>
     <output>nothing</output><table>${"<tr><td>a<td>b<td>c".repeat(200)}</table><iframe src="/framed"></iframe>
     <script>save.onclick = async () => { await fetch("/save", { method: "POST", body: note.value }); document.querySelector("output").textContent = "saved"; }; ask.onclick = () => { confirm("Sure?"); }; setInterval(() => fetch("/beat").then((r) => r.text()), 500)</script>`,
  );
  for (const path of ["/next", "/popup", "/framed", "/save", "/beat"])
    server.html(path, `<title>Other</title><h1>Other</h1><p>${"words ".repeat(500)}`);
  directory = mkdtempSync(join(tmpdir(), "chaperone-soak-"));
  sessions = await Promise.all(
    Array.from({ length: SESSIONS }, (_, at) =>
      openSession({ ...yes, private: [server.url], ledger: { file: join(directory, `${at}.jsonl`) } }),
    ),
  );
}, BEYOND_MS);
afterAll(async () => {
  await Promise.all(sessions.map((session) => session.close()));
  await server?.close();
  rmSync(directory, { recursive: true, force: true });
}, BEYOND_MS);

/** What an agent does with a page, once; every call must answer, and those that a page cannot hinder must go well. */
async function visit(session: CallableSession): Promise<void> {
  const done = async (tool: string, args: object = {}) => {
    const { envelope } = await session.call(tool, args);
    expect(envelope, `${tool}: ${JSON.stringify(envelope).slice(0, 500)}`).toMatchObject({ ok: true });
    return envelope;
  };
  await done("navigate", { url: `${server.url}/work` });
  await done("snapshot", { detail: "full" });
  await done("type_text", { target: 'textbox "Note"', text: `note ${visits}` });
  await done("click", { target: 'button "Save"' });
  await done("handle_next_dialog", { accept: true });
  await done("click", { target: 'button "Ask"' });
  await done("screenshot");
  await done("get_text");
  await done("click", { target: 'link "Popup"' });
  await done("click", { target: 'link "Next"' });
  await done("go_back");
  const { tabs = [] } = (await done("tabs")) as {
    readonly tabs?: readonly { readonly id: string; readonly active: boolean }[];
  };
  for (const { id, active } of tabs) if (!active) await done("tabs", { action: "close", tab: id });
  await done("navigate", { url: `${server.url}/rest` });
  visits += 1;
}

async function sample(): Promise<Sample> {
  server.clear();
  const { held, resident } = await memory();
  const all = descendantsOf(process.pid);
  const files = chromiums().flatMap((chromium) => filesIn(profileOf(chromium)));
  const ledgers = filesIn(directory);
  return {
    heldMb: held,
    residentMb: resident,
    openFiles: readdirSync("/proc/self/fd").length,
    processes: all.length,
    chromiumMb: sum(all.map(({ status }) => Number.parseInt(status.get("VmRSS") ?? "0", 10))) / KB_PER_MB,
    profileFiles: files.length,
    profileMb: sum(files) / BYTES_PER_MB,
    ledgerMb: sum(ledgers) / BYTES_PER_MB,
    visits,
  };
}

/** The sizes of all files below. */
function filesIn(path: string): readonly number[] {
  return readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    try {
      return entry.isFile() ? [statSync(join(entry.parentPath, entry.name)).size] : [];
    } catch {
      return []; // It was removed while we looked.
    }
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

test(`${SESSIONS} sessions for ${MINUTES} minutes: nothing grows, and nothing is left of them`, {
  timeout: MINUTES * MS_A_MINUTE * 2 + BEYOND_MS * 2,
}, async () => {
  const samples: Sample[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const endsAt = performance.now() + ROUND_MS;
    await Promise.all(
      sessions.map(async (session) => {
        do await visit(session as unknown as CallableSession);
        while (performance.now() < endsAt);
      }),
    );
    samples.push(await settled(samples[1]));
    console.log(table(samples));
  }
  const [, first, ...rest] = samples;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) throw new Error("too few rounds");
  expect(grownIn(first, last), table(samples)).toEqual([]);

  const profiles = chromiums().map(profileOf);
  await Promise.all(sessions.map((session) => session.close()));
  await expect.poll(() => descendantsOf(process.pid).length, { timeout: BEYOND_MS }).toBe(0);
  await expect.poll(() => profiles.filter((profile) => existsSync(profile)), { timeout: BEYOND_MS }).toEqual([]);
});

/** Processes of pages that were left end, and sockets give up their buffers, a moment later. */
async function settled(before: Sample | undefined): Promise<Sample> {
  const endsAt = performance.now() + SETTLED_MS;
  for (;;) {
    const now = await sample();
    if (before === undefined || grownIn(before, now).length === 0 || performance.now() >= endsAt) return now;
  }
}

/** What grew by more than it may. */
function grownIn(before: Sample, now: Sample): readonly string[] {
  const bounds = mayGrow(now.visits - before.visits);
  return (Object.keys(bounds) as (keyof typeof bounds)[]).filter((what) => now[what] - before[what] > bounds[what]);
}

function table(samples: readonly Sample[]): string {
  const columns = Object.keys(samples[0] ?? {}) as (keyof Sample)[];
  const width = Math.max(...columns.map((column) => column.length));
  return columns
    .map(
      (column) =>
        `${column.padEnd(width)} ${samples.map((each) => each[column].toFixed(/Mb$/.test(column) ? 1 : 0).padStart(8)).join("")}`,
    )
    .join("\n");
}
