import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import { chromiumProgram } from "./chromium-program.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

/* Pages that are shown to no window may keep people's words from an agent, or show it others. A shared worker still tells: nothing speaks to it before it runs. */

let server: RecordingServer;
let session: OpenedSession;
beforeAll(async () => {
  server = await recordingServer();
  session = await openSession({
    allow: ["shop.test"],
    mode: "act",
    profile: "observe",
    hostMap: { "shop.test": server.host, "www.shop.test": server.host },
    browser: { path: chromiumProgram() },
  });
});
afterAll(async () => {
  await session.close();
  await server.close();
});

const TELL = `JSON.stringify([navigator.userAgent, navigator.userAgentData?.brands.map(({ brand }) => brand)])`;
const WORKER = `fetch("/told-by-worker?" + encodeURIComponent(${TELL}));`;

test("no request and no script tells that there is no window, and webdriver stays true", async () => {
  server.html(
    "/",
    `<title>page</title><iframe src="http://www.shop.test/frame"></iframe><a id="next" href="/popup" target="_blank" rel="opener">Open</a>
    <script>
      new Worker("/worker.js");
      fetch("/told-by-page?" + encodeURIComponent(${TELL}));
      fetch("/webdriver?" + navigator.webdriver);
    </script>`,
  );
  server.html("/frame", `<script>fetch("/told-by-frame?" + encodeURIComponent(${TELL}))</script>`);
  server.html("/popup", `<script>fetch("/told-by-popup?" + encodeURIComponent(${TELL}))</script>`);
  server.on("/worker.js", (_request, response) =>
    response.writeHead(200, { "content-type": "text/javascript" }).end(WORKER),
  );
  await session.call("navigate", { url: "http://shop.test/" });
  await session.call("click", { target: 'link "Open"' });
  for (const who of ["page", "frame", "popup", "worker"]) await server.waitForHit(`/told-by-${who}`);
  expect(server.hitsTo("/webdriver").map(({ path }) => path)).toEqual(["/webdriver?true"]);
  const told = server.hits.flatMap(({ path, headers }) => [
    decodeURIComponent(path),
    headers["user-agent"] ?? "none",
    String(headers["sec-ch-ua"] ?? ""),
  ]);
  expect(told.filter((text) => /headless|none/i.test(text))).toEqual([]);
  expect(told.some((text) => text.includes("Chrome/"))).toBe(true);
});
