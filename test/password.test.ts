import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sites, startSites } from "../sites/server.mjs";
import { type BrowserEvent, type OpenedSession, openSession, type ToolResult } from "../src/index.ts";
import { yes } from "./yes.ts";

const PASSWORD = "correct-horse";
let sites: Sites;
let session: OpenedSession;
const results: ToolResult[] = [];
const events: BrowserEvent[] = [];

beforeAll(async () => {
  sites = await startSites();
  session = await openSession({ private: [sites.backOffice.url], ...yes });
  session.events.subscribe((event) => events.push(event));
});
afterAll(async () => {
  await session.close();
  await sites.close();
});

const call: OpenedSession["call"] = async (tool, args) => {
  const result = await session.call(tool, args);
  results.push(result);
  return result;
};

test("a typed password is in no result, event or record, and leaves only with the form that was submitted", async () => {
  const site = sites.backOffice;
  await call("navigate", { url: `${site.url}/login` });
  await call("type_text", { target: 'textbox "User"', text: "ada" });
  expect(
    (await call("type_text", { target: 'textbox "Password"', text: PASSWORD, sequential: true })).envelope,
  ).toMatchObject({ ok: true, value: "(secret)" });
  await call("type_text", { target: 'textbox "Password"', text: PASSWORD });
  const filled = await call("snapshot", { detail: "full" });
  expect(filled.envelope.snapshot).toContain("(secret)");
  expect(site.requests.some((request) => `${request.path}${request.body}`.includes(PASSWORD))).toBe(false);

  await call("click", { target: 'button "Sign in"' });
  expect(site.requests.filter((request) => request.body.includes(PASSWORD)).map((request) => request.method)).toEqual([
    "POST",
  ]);
  await call("snapshot", {});

  expect(JSON.stringify(results.map((result) => result.envelope))).not.toContain(PASSWORD);
  expect(JSON.stringify(events)).not.toContain(PASSWORD);
  expect(readFileSync(session.ledgerFile, "utf8")).not.toContain(PASSWORD);
});
