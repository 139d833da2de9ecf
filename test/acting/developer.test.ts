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
    expect(await standard.call("execute_js", { script: "1" })).toMatchObject({
      ok: false,
      error: { code: "unknown_tool" },
    });
    expect(await standard.call("batch", { calls: [{ tool: "execute_js", arguments: { script: "1" } }] })).toMatchObject(
      { error: { code: "bad_arguments" } },
    );
    expect(standard.session.instructions).not.toContain("execute_js");
  });
});

describe("targets by selector and by place", () => {
  const page = `<style>body { margin: 0 }</style><button class="go" style="position:absolute;left:100px;top:50px;width:200px;height:40px" onclick="document.querySelector('output').textContent = event.clientX + '/' + event.clientY">Go</button>
    <label>Name <input id="name"></label><p class="many"></p><p class="many"></p><output style="position:absolute;top:200px"></output>`;

  test.each(["css=.go", "200,70", "css=#name", "1,1"])("%s is a bad argument of the standard set", async (target) => {
    expect(await standard.call("click", { target })).toMatchObject({
      ok: false,
      error: { code: "bad_arguments", message: expect.stringContaining("developer set") },
    });
    expect(await standard.call("fill_form", { fields: [{ target, text: "x" }] })).toMatchObject({
      error: { code: "bad_arguments" },
    });
    expect(await standard.call("batch", { calls: [{ tool: "click", arguments: { target } }] })).toMatchObject({
      error: { code: "bad_arguments" },
    });
  });

  test("act in the developer set", async () => {
    await developer.show(page);
    expect(await developer.call("click", { target: "css=.go" })).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("200/70"),
    });
    expect(await developer.call("click", { target: "120,60" })).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("120/60"),
    });
    expect(await developer.call("type_text", { target: "css=#name", text: "Ada" })).toMatchObject({
      ok: true,
      value: "Ada",
    });
  });

  test("never take the first of many, nor nothing, nor what is no selector", async () => {
    await developer.show(page);
    const codeOf = async (target: string): Promise<string | undefined> =>
      (await developer.call("click", { target })).error?.code;
    expect([
      await codeOf("css=.many"),
      await codeOf("css=.none"),
      await codeOf("css=>>"),
      await codeOf("9999,9999"),
    ]).toEqual([...["ambiguous", "no_match", "bad_arguments", "no_match"]]);
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
    expect(
      await developer.call("execute_js", { script: `document.querySelector("p").textContent = "After"; 1` }),
    ).toMatchObject({
      result: "1",
      snapshot: expect.stringContaining("After"),
    });
    expect(await developer.call("tabs")).toMatchObject({ ok: true, unguarded: true });
    expect(developer.session.instructions).toContain("unguarded");
  });

  test("what it throws is in a field, not in the message", async () => {
    const threw = await developer.call("execute_js", { script: `throw new Error("words of the page")` });
    expect(threw).toMatchObject({
      ok: false,
      error: { code: "bad_arguments" },
      thrown: expect.stringContaining("words of the page"),
    });
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
    expect(await developer.show("<h1>Next</h1>")).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("Next"),
    });
  });

  test("gives no more than a result may have", async () => {
    const ran = await developer.call("execute_js", { script: `"word ".repeat(100000)` });
    expect(String(ran.result).length).toBeLessThan(20_000);
    expect(ran.characters_left_out).toBeGreaterThan(400_000);
  });
});
