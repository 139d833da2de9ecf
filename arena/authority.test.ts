import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError, type OpenedSession, openSession } from "../src/index.ts";
import { selfSigned } from "../src/session/self-test/certificate.ts";
import { chromiumProgram } from "../test/chromium-program.ts";

const known = selfSigned("known.test");
const stranger = selfSigned("stranger.test", "pretender.test");

const servers: Server[] = [];
let directory: string;
let session: OpenedSession;
let options: NonNullable<Parameters<typeof openSession>[0]>;

async function serve(cert: string, key: string): Promise<string> {
  const server = createServer(
    { cert, key },
    (request, response) => void response.end(`<p>secret words of ${request.headers.host}`),
  );
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "authority-"));
  await writeFile(join(directory, "ca.pem"), known.cert + known.key);
  options = {
    allow: ["known.test", "stranger.test", "pretender.test"],
    hostMap: {
      "known.test": await serve(known.cert, known.key),
      "stranger.test": await serve(stranger.cert, stranger.key),
      // Its own key, with the certificate that is trusted put behind it.
      "pretender.test": await serve(`${stranger.cert}${known.cert}`, stranger.key),
    },
    browser: { path: chromiumProgram() },
  };
  session = await openSession({ ...options, browser: { path: chromiumProgram(), ca: join(directory, "ca.pem") } });
});
afterAll(async () => {
  await session.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(directory, { recursive: true, force: true });
});

const opened = async (url: string, by = session): Promise<string> =>
  JSON.stringify((await by.call("navigate", { url })).envelope);

test("a server with the certificate of browser.ca is opened, and only with that option", async () => {
  expect(await opened("https://known.test/")).toContain("secret words of known.test");
  const without = await openSession(options);
  try {
    expect(await opened("https://known.test/", without)).toContain("navigation_failed");
  } finally {
    await without.close();
  }
});

test("a server with any other certificate is not", async () => {
  const told = await opened("https://stranger.test/");
  expect(told).toContain("navigation_failed");
  expect(told).not.toContain("secret words");
});

// What the description of browser.ca warns of: Chromium compares the keys in the chain and checks nothing else.
test("whoever shows that certificate behind one of its own is taken for genuine", async () => {
  expect(await opened("https://pretender.test/")).toContain("secret words of pretender.test");
});

test("a file without a certificate, and an attached browser, are errors of the configuration", async () => {
  await expect(openSession({ browser: { ca: join(directory, "none.pem") } })).rejects.toSatisfy(ConfigError.is);
  await expect(
    openSession({ browser: { ca: join(directory, "ca.pem"), cdpUrl: "http://127.0.0.1:9" } }),
  ).rejects.toSatisfy(ConfigError.is);
});
