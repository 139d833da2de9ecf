import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stage, stage } from "./support.ts";

let standard: Stage;
let developer: Stage;
beforeAll(async () => {
  standard = await stage();
  developer = await stage({ tools: "developer" });
});
afterAll(async () => {
  await standard[Symbol.asyncDispose]();
  await developer[Symbol.asyncDispose]();
});

describe("the standard set", () => {
  test("has no script", async () => {
    expect(standard.session.tools.map((tool) => tool.name)).not.toContain("execute_js");
    expect(await standard.call("execute_js", { script: "1" })).toMatchObject({ ok: false, error: { code: "unknown_tool" } });
    expect(await standard.call("batch", { calls: [{ tool: "execute_js", arguments: { script: "1" } }] })).toMatchObject({ error: { code: "bad_arguments" } });
    expect(standard.session.instructions).not.toContain("execute_js");
  });
});

describe("execute_js", () => {
  test.each([
    ["a string as it is", `"two\\nlines"`, "two\nlines"],
    ["an object as JSON", `({ a: [1, "b"] })`, `{"a":[1,"b"]}`],
    ["a number as JSON", "1 + 1", "2"],
    ["null as undefined", "null", undefined],
    ["undefined", "void 0", undefined],
    ["what a promise brings", `Promise.resolve("later")`, "later"],
    ["what the page's own scripts made", "window.made", "by the page"],
  ])("gives %s", async (_what, script, result) => {
    await developer.show(`<script>window.made = "by the page"</script>`);
    const ran = await developer.call("execute_js", { script });
    expect(ran).toMatchObject({ ok: true, unguarded: true, receipt: expect.any(String) });
    expect(ran.result).toBe(result);
  });

  test("tells what it changed, and marks every result after it", async () => {
    await developer.show("<p>Before</p>");
    expect(await developer.call("execute_js", { script: `document.querySelector("p").textContent = "After"; 1` })).toMatchObject({
      result: "1",
      snapshot: expect.stringContaining("After"),
    });
    expect(await developer.call("tabs")).toMatchObject({ ok: true, unguarded: true });
    expect(developer.session.instructions).toContain("unguarded");
  });

  test("what it throws is in a field, not in the message", async () => {
    const threw = await developer.call("execute_js", { script: `throw new Error("words of the page")` });
    expect(threw).toMatchObject({ ok: false, error: { code: "bad_arguments" }, thrown: expect.stringContaining("words of the page") });
    expect(threw.error?.message).not.toContain("words of the page");
  });

  test.each([
    ["loops", "for (;;);"],
    ["waits for ever", "new Promise(() => {})"],
  ])("that %s is over with its deadline, and the next call works", async (_what, script) => {
    await developer.show("<h1>Here</h1>");
    const late = await developer.call("execute_js", { script, timeout_ms: 500 });
    expect(late).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(late.ms).toBeLessThan(3_000);
    expect(await developer.show("<h1>Next</h1>")).toMatchObject({ ok: true, snapshot: expect.stringContaining("Next") });
  });

  test("gives no more than a result may have", async () => {
    const ran = await developer.call("execute_js", { script: `"word ".repeat(100000)` });
    expect(String(ran.result).length).toBeLessThan(20_000);
    expect(ran.characters_left_out).toBeGreaterThan(400_000);
  });
});
