import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sites, startSites } from "../sites/server.mjs";
import { main } from "../src/cli/main.ts";
import { type BrowserEvent, openSession, type StorageState } from "../src/index.ts";
import { connect } from "./clients.ts";
import { runningBrowser } from "./running-browser.ts";
import { recordingServer } from "./servers.ts";
import { Visitor } from "./visitor.ts";

let sites: Sites;
let directory: string;
beforeAll(async () => {
  sites = await startSites();
  directory = mkdtempSync(join(tmpdir(), "chaperone-stored-"));
});
afterAll(async () => {
  await sites.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => sites.backOffice.reset());

function cookie(name: string, value: string): StorageState["cookies"][number] {
  return { name, value, domain: "127.0.0.1", path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" };
}

/** Signs in as a person would elsewhere, and keeps what the browser would have kept. */
async function signedIn(): Promise<{ readonly state: StorageState; readonly secret: string }> {
  const answer = await new Visitor(sites.backOffice.url).post("/login", { user: "ada", password: "correct-horse" });
  const [name = "", secret = ""] = (answer.headers.getSetCookie()[0]?.split(";")[0] ?? "").split("=");
  expect(secret.length).toBeGreaterThan(10);
  return { state: { cookies: [cookie(name, secret)], origins: [] }, secret };
}

describe("stored state", () => {
  test("signs a session in without typing, again after a restart, and is shown nowhere", async () => {
    const { state, secret } = await signedIn();
    const ledger = join(directory, "ledger.jsonl");
    await using session = await openSession({
      private: [sites.backOffice.url],
      storageState: {
        ...state,
        origins: [{ origin: sites.backOffice.url, localStorage: [{ name: "theme", value: secret }] }],
      },
      ledger: { file: ledger },
      idleMinutes: 0.002,
    });
    const events: BrowserEvent[] = [];
    session.events.subscribe((event) => events.push(event));
    const told: unknown[] = [session.instructions, events];
    for (const browsers of [1, 2]) {
      const page = await session.call("navigate", { url: `${sites.backOffice.url}/orders` });
      told.push(page, await session.call("network_requests", {}));
      expect(page.envelope.snapshot).toContain("CMD-1042");
      expect(events.filter(({ kind }) => kind === "browser_started")).toHaveLength(browsers);
      await expect
        .poll(() => events.filter(({ kind }) => kind === "browser_ended").length, { timeout: 5_000 })
        .toBe(browsers);
    }
    expect(sites.backOffice.effects.signIns).toBe(1);
    expect(JSON.stringify(told) + readFileSync(ledger, "utf8")).not.toContain(secret);
  });

  test("puts localStorage into origins without a request to any of them", async () => {
    await using server = await recordingServer();
    server.html(
      "/",
      "<h1></h1><script>document.querySelector('h1').textContent = 'Theme ' + localStorage.getItem('theme')</script>",
    );
    await using closed = await recordingServer();
    const asked: string[] = [];
    await using session = await openSession({
      private: [server.url],
      storageState: {
        cookies: [],
        origins: [
          { origin: server.url, localStorage: [{ name: "theme", value: "dark" }] },
          { origin: closed.url, localStorage: [{ name: "a", value: "b" }] },
          { origin: "https://nowhere.test", localStorage: [] },
        ],
      },
      rule: ({ url }) => {
        asked.push(url);
        return null;
      },
    });
    expect((await session.call("tabs", { action: "new" })).envelope.ok).toBe(true);
    expect([server.hits, closed.hits, asked]).toEqual([[], [], []]);
    expect((await session.call("tabs", {})).envelope.tabs).toHaveLength(1);
    const page = await session.call("navigate", { url: `${server.url}/` });
    expect(page.envelope.snapshot).toContain("Theme dark");
    expect(closed.hits).toEqual([]);
  });

  test("works in an attached browser, and the person's own context does not get it", async () => {
    const { state, secret } = await signedIn();
    await using browser = await runningBrowser();
    await using session = await openSession({
      private: [sites.backOffice.url],
      storageState: state,
      browser: { cdpUrl: browser.endpoint },
    });
    expect((await session.call("navigate", { url: `${sites.backOffice.url}/orders` })).envelope.snapshot).toContain(
      "CMD-1042",
    );
    expect(JSON.stringify(await browser.send("Storage.getCookies"))).not.toContain(secret);
  });

  test("what the browser does not take is a failure in fixed words", async () => {
    await using session = await openSession({
      storageState: { cookies: [cookie("bad", "s3cret\u0001")], origins: [] },
    });
    const answer = await session.call("tabs", { action: "new" });
    expect(answer.envelope.error).toMatchObject({
      code: "no_browser",
      message: expect.stringContaining("The stored state could not be put into the browser."),
    });
    expect(JSON.stringify(answer)).not.toContain("s3cret");
  });

  test("is refused as an option when it is malformed, and is no key of the configuration", async () => {
    await expect(openSession({ storageState: { cookies: "s3cret" } as never })).rejects.toThrow(
      /^storageState: cookies is not as Playwright writes it/,
    );
    const file = join(directory, "config.json");
    writeFileSync(file, JSON.stringify({ storageState: { cookies: [], origins: [] } }));
    let said = "";
    const out = { write: (text: string) => (said += text) };
    expect(await main(["mcp", "--config", file], { stdout: out, stderr: out, env: {} })).toBe(2);
    expect(said).toContain("unknown key storageState");
  });

  test("--storage-state signs an MCP client and `open` in", async () => {
    const { state, secret } = await signedIn();
    const file = join(directory, "state.json");
    writeFileSync(file, JSON.stringify(state), { mode: 0o600 });
    const url = `${sites.backOffice.url}/orders`;
    let said = "";
    const out = { write: (text: string) => (said += text) };
    const io = { stdout: out, stderr: out, env: { XDG_CONFIG_HOME: directory } };
    expect(await main(["open", url, "--private", sites.backOffice.url, "--storage-state", file], io)).toBe(0);
    expect(said).toContain("CMD-1042");
    await using client = await connect("2026-07-28", ["--private", sites.backOffice.url, "--storage-state", file]);
    const page = await client.call("navigate", { url });
    expect(page.text).toContain("CMD-1042");
    expect(said + JSON.stringify(page)).not.toContain(secret);
    expect(await main(["mcp", "--storage-state", join(directory, "missing")], io)).toBe(2);
    expect(said).toContain("missing: no such file");
  });
});
