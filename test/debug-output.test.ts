import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { chromiumProgram } from "./chromium-program.ts";
import { recordingServer } from "./servers.ts";

const COOKIE = "cookie-of-the-stored-state";
const TYPED = "typed-into-a-password-field";
const TEST_MS = 120_000;

/** What a program that opens a session, or Playwright alone, prints while it types. */
async function printed(program: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, ...env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (text += String(bytes)));
  const [code] = await once(child, "close");
  return `${text}\nended with ${code}`;
}

const state = (host: string) =>
  `{ cookies: [{ name: "sid", value: "${COOKIE}", domain: "${host}", path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Lax" }], origins: [] }`;
const ours = (place: string) => `
  const { openSession } = await import("./dist/index.js");
  const session = await openSession({ allow: ["shop.test"], mode: "act", hostMap: { "shop.test": "${place}" }, browser: { path: "${chromiumProgram()}" }, storageState: ${state("shop.test")} });
  await session.call("navigate", { url: "http://shop.test/" });
  console.log(JSON.stringify((await session.call("type_text", { target: 'textbox "Word"', text: "${TYPED}" })).envelope.ok));
  await session.close();`;
const plain = (place: string) => `
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: "${chromiumProgram()}", args: ["--no-sandbox"] });
  const page = await (await browser.newContext({ storageState: ${state("127.0.0.1")} })).newPage();
  await page.goto("http://${place}/");
  await page.getByLabel("Word").fill("${TYPED}");
  await browser.close();`;

test.each(["pw:*", "*"])(
  "with DEBUG=%s neither cookies nor what was typed is printed, as Playwright does",
  { timeout: TEST_MS },
  async (DEBUG) => {
    await using server = await recordingServer();
    server.html("/", '<label>Word <input type="password"></label>');
    const unguarded = await printed(plain(server.host), { DEBUG });
    expect(unguarded).toContain(COOKIE);
    expect(unguarded).toContain(TYPED);
    const guarded = await printed(ours(server.host), { DEBUG });
    expect(guarded).toContain("true\n");
    expect(guarded).not.toMatch(new RegExp(`${COOKIE}|${TYPED}|pw:`));
  },
);
