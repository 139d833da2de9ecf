import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stage, stage } from "./support.ts";

const MAX_LOG_TOKENS = 500;

let it: Stage;
beforeAll(async () => {
  it = await stage();
});
afterAll(() => it[Symbol.asyncDispose]());

test("T14: 2,000 lines and one error take at most 500 tokens, the error first", async () => {
  await it.show(`<script>
    setTimeout(() => { throw new Error("the one that matters"); });
    setTimeout(() => { for (let count = 1; count <= 2000; count++) console.log("line " + count + " of many"); }, 20);
  </script>`);
  const newest = async (): Promise<unknown> =>
    ((await it.call("console_messages")).messages as { text: string }[]).at(-1)?.text;
  await expect.poll(newest, { timeout: 10_000 }).toBe("line 2000 of many");
  const log = await it.call("console_messages");
  const { ms: _ms, ...envelope } = log;
  expect(encode(JSON.stringify(envelope)).length).toBeLessThanOrEqual(MAX_LOG_TOKENS);
  expect(log.errors).toEqual(
    expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining("the one that matters") })]),
  );
  expect(Object.keys(log).indexOf("errors")).toBeLessThan(Object.keys(log).indexOf("messages"));
  expect(log.older_left_out).toBeGreaterThan(1_500);
});

test("errors alone, and no credential in any line", async () => {
  const jwt = `eyJhbGciOiJIUzI1NiJ9.${"a".repeat(40)}.${"b".repeat(40)}`;
  await it.show(
    `<script>console.log("plain"); console.warn("a warning"); console.error("Bearer abcdef1234567890"); console.error("${jwt}"); console.error("again"); console.error("again");</script>`,
  );
  const log = await it.call("console_messages", { errors_only: true });
  expect(log.messages).toBeUndefined();
  expect(log.errors).toEqual(
    expect.arrayContaining([{ text: "Bearer (secret)" }, { text: "(secret)" }, { text: "again", times: 2 }]),
  );
  expect(JSON.stringify(log)).not.toMatch(/abcdef1234567890|aaaaaaaa/);
  expect((await it.call("console_messages")).messages).toEqual(
    expect.arrayContaining([{ text: "plain" }, { level: "warning", text: "a warning" }]),
  );
});

test("requests are told without credentials and without bodies", async () => {
  it.server.on("/data", (_request, response) => response.end("the body of the answer"));
  await it.show(`<script>fetch("/data?token=abcdef123456&page=2", { method: "POST", body: "what was sent" })</script>`);
  const log = await it.call("network_requests", { url_contains: "/data" });
  expect(log.requests).toEqual([
    { method: "POST", url: expect.stringMatching(/\/data\?token=\(secret\)&page=2$/), status: 200 },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/the body|what was sent|abcdef/);
});
