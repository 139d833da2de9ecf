import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sites, startSites } from "../sites/server.mjs";
import { type OpenedSession, openSession } from "../src/index.ts";
import { Visitor } from "./visitor.ts";
import { yes } from "./yes.ts";

const ORDERS = 24;
const COLUMNS = ["Number", "Date", "Customer", "Total €", "Status"];
const MAX_LIST_TOKENS = 1_100;
const MAX_SCHEMA_TOKENS = 3_000;

let sites: Sites;
let session: OpenedSession;
beforeAll(async () => {
  sites = await startSites();
  session = await openSession({ private: [sites.backOffice.url], ...yes });
});
afterAll(async () => {
  await session.close();
  await sites.close();
});

test("the list of 24 orders takes at most 1,100 tokens, with every cell and every link", async () => {
  const site = sites.backOffice;
  await session.call("navigate", { url: `${site.url}/login` });
  await session.call("type_text", { target: 'textbox "User"', text: "ada" });
  await session.call("type_text", { target: 'textbox "Password"', text: "correct-horse" });
  const list = await session.call("click", { target: 'button "Sign in"' });
  const text = list.envelope.snapshot ?? "";
  expect(encode(text).length).toBeLessThanOrEqual(MAX_LIST_TOKENS);

  // The cells as the server has them, read without the browser.
  const visitor = new Visitor(site.url);
  await visitor.post("/login", { user: "ada", password: "correct-horse" });
  const csv = (await visitor.get("/orders.csv")).text.trim().split(/\r?\n/).slice(1);
  expect(csv).toHaveLength(ORDERS);
  const lines = text.split("\n");
  for (const column of COLUMNS) expect(text).toContain(`"${column}"`);
  for (const record of csv) {
    const number = /CMD-\d+/.exec(record)?.[0] ?? "";
    const row = lines.find((line) => line.includes(`"${number}"`)) ?? "";
    expect(row).toContain(
      record
        .split(",")
        .map((cell) => JSON.stringify(cell))
        .join(","),
    );
    expect(row).toMatch(/e\d+ link "View"/);
  }
  expect(new Set(text.match(/e\d+(?= link "View")/g)).size).toBe(ORDERS);
});

test("the tools' schemas take at most 3,000 tokens together", () => {
  const listed = session.tools.map(({ name, description, inputSchema, outputSchema }) => ({
    name,
    description,
    inputSchema,
    outputSchema,
  }));
  expect(encode(JSON.stringify(listed)).length).toBeLessThanOrEqual(MAX_SCHEMA_TOKENS);
});
