import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refOf, type Stage, stage } from "./support.ts";

let it: Stage;
beforeAll(async () => {
  it = await stage();
});
afterAll(() => it[Symbol.asyncDispose]());

const FORM = `<form action="/sent"><label>Name <input name="name"></label><label>Mail <input type="email" name="mail"></label>
  <label>Country <select name="country"><option value="fr">France</option><option value="de">Germany</option></select></label>
  <label><input type="checkbox" name="news" checked> News</label><label><input type="radio" name="pay" value="card"> Card</label>
  <label><input type="radio" name="pay" value="bill"> Bill</label><label>Note <textarea name="note"></textarea></label><button>Send</button></form>`;
const ALL = [
  { target: 'textbox "Name"', text: "Ada" },
  { target: 'textbox "Mail"', text: "ada@shop.test" },
  { target: 'combobox "Country"', values: ["Germany"] },
  { target: 'checkbox "News"', checked: false },
  { target: 'radio "Bill"', checked: true },
  { target: 'textbox "Note"', text: "two\nlines" },
];

describe("fill_form", () => {
  test("fills every kind of field under one judgement and reads each back", async () => {
    await it.show(FORM);
    const filled = await it.call("fill_form", { fields: ALL });
    expect(filled).toMatchObject({
      ok: true,
      filled: [
        { value: "Ada" },
        { value: "ada@shop.test" },
        { selected: ["Germany"] },
        { checked: false },
        { checked: true },
        { value: "two\nlines" },
      ],
      receipt: expect.any(String),
    });
    expect(it.server.hitsTo("/sent")).toEqual([]);
  });

  test("submit presses Enter in the last field that sends by it", async () => {
    it.server.clear();
    it.server.html("/sent", "<h1>Thanks</h1>");
    await it.show(FORM);
    const sent = await it.call("fill_form", { fields: ALL, submit: true });
    expect(sent).toMatchObject({ ok: true, changed: "document", snapshot: expect.stringContaining("Thanks") });
    const { path } = await it.server.waitForHit("/sent");
    expect(Object.fromEntries(new URL(path, it.server.url).searchParams)).toEqual({
      name: "Ada",
      mail: "ada@shop.test",
      country: "de",
      pay: "bill",
      note: "two\r\nlines",
    });
  });

  test("stops at the first failure and says which field, and what was filled before", async () => {
    await it.show(FORM);
    const fields = [ALL[0], { target: 'combobox "Country"', values: ["Nowhere"] }, ALL[1]];
    const failed = await it.call("fill_form", { fields });
    expect(failed).toMatchObject({
      ok: false,
      error: { code: "no_match", message: expect.stringMatching(/^fields\.1: /) },
      filled: [{ value: "Ada" }],
      failed: 1,
    });
    expect((await it.call("snapshot")).snapshot).not.toContain("ada@shop.test");
  });

  test.each([
    ["a target that is not there", [ALL[0], { target: 'textbox "Nobody"', text: "x" }], "no_match", "fields.1: "],
    ["checked on a text field", [{ target: 'textbox "Name"', checked: true }], "bad_arguments", "fields.0: "],
    ["values on a text field", [{ target: 'textbox "Name"', values: ["x"] }], "bad_arguments", "fields.0: "],
    ["text on a checkbox", [ALL[0], { target: 'checkbox "News"', text: "x" }], "bad_arguments", "fields.1: "],
    ["two ways at once", [{ target: 'textbox "Name"', text: "x", checked: true }], "bad_arguments", "fields.0 "],
    ["no way at all", [{ target: 'textbox "Name"' }], "bad_arguments", "fields.0 "],
    ["a secret by name", [{ target: 'textbox "Name"', secret: "office" }], "bad_arguments", "secret"],
    ["no fields", [], "bad_arguments", "fields"],
  ])("%s: nothing is filled", async (_what, fields, code, words) => {
    await it.show(FORM);
    expect(await it.call("fill_form", { fields })).toMatchObject({
      ok: false,
      error: { code, message: expect.stringContaining(words) },
    });
    expect((await it.call("snapshot")).snapshot).not.toContain('"Ada"');
  });

  test("submit needs a field that sends by Enter", async () => {
    await it.show(FORM);
    expect(await it.call("fill_form", { fields: [ALL[5]], submit: true })).toMatchObject({
      ok: false,
      error: { code: "bad_arguments" },
    });
  });

  test("goes on where a field changes the words around the others", async () => {
    await it.show(`<form><p id="left">2 fields left</p><label>First <input oninput="document.querySelector('#left').textContent = '1 field left'"></label>
      <label>Second <input oninput="document.querySelector('#left').textContent = 'none left'"></label></form>`);
    const fields = [
      { target: 'textbox "First"', text: "one" },
      { target: 'textbox "Second"', text: "two" },
    ];
    expect(await it.call("fill_form", { fields, submit: true })).toMatchObject({
      ok: true,
      filled: [{ value: "one" }, { value: "two" }],
    });
  });

  test("never shows a secret that it typed", async () => {
    await it.show(`<label>User <input></label><label>Password <input type="password"></label>`);
    const fields = [
      { target: 'textbox "User"', text: "ada" },
      { target: 'textbox "Password"', text: "correct-horse" },
    ];
    const filled = await it.call("fill_form", { fields });
    expect(filled).toMatchObject({ ok: true, filled: [{ value: "ada" }, { value: "(secret)" }] });
    expect(JSON.stringify(filled)).not.toContain("correct-horse");
  });
});

describe("a value by handle", () => {
  test("is the words of an element, or of a block that get_text gave, whole and also from a page that is gone", async () => {
    const order = await it.show(
      `<p>Order CMD-1042, ready</p><p>${"long ".repeat(50)}end</p><button>Take CMD-7</button><label>To <input></label>`,
    );
    expect(await it.call("type_text", { target: 'textbox "To"', from: refOf(order, "Take CMD-7") })).toMatchObject({
      ok: true,
      value: "Take CMD-7",
    });
    const { blocks } = (await it.call("get_text")) as unknown as {
      readonly blocks: readonly { readonly id: string; readonly text: string }[];
    };
    const block = blocks.find(({ text }) => text.includes("CMD-1042"));
    const long = blocks.find(({ text }) => text.startsWith("long"));
    await it.show(`<label>Order <input></label><label>Words <input></label>`);
    expect(await it.call("type_text", { target: 'textbox "Order"', from: block?.id })).toMatchObject({
      ok: true,
      value: "Order CMD-1042, ready",
    });
    expect(await it.call("fill_form", { fields: [{ target: 'textbox "Words"', from: long?.id }] })).toMatchObject({
      filled: [{ value: long?.text }],
    });
  });

  test("may come from another tab, and from a field", async () => {
    const first = await it.show(`<label>Code <input value="A-77"></label>`);
    await it.call("tabs", { action: "new" });
    await it.show(`<label>Copy <input></label>`);
    expect(await it.call("type_text", { target: 'textbox "Copy"', from: refOf(first, "Code") })).toMatchObject({
      ok: true,
      value: "A-77",
    });
  });

  test("is never a secret field's", async () => {
    const page = await it.show(
      `<label>Password <input type="password" value="correct-horse"></label><label>Copy <input></label>`,
    );
    const typed = await it.call("type_text", { target: 'textbox "Copy"', from: refOf(page, "Password") });
    expect(typed).toMatchObject({ ok: false, error: { code: "bad_arguments" } });
    expect(JSON.stringify(typed)).not.toContain("correct-horse");
  });

  test.each([
    ["b999999", "no_match"],
    ["e999999", "no_match"],
    ["x1", "bad_arguments"],
    ['button "A"', "bad_arguments"],
  ])("%s is none", async (from, code) => {
    await it.show(`<label>To <input></label>`);
    expect(await it.call("type_text", { target: 'textbox "To"', from })).toMatchObject({ ok: false, error: { code } });
  });

  test("is given or not: exactly one of text and from", async () => {
    for (const more of [{}, { text: "a", from: "e1" }])
      expect(await it.call("type_text", { target: "e1", ...more })).toMatchObject({ error: { code: "bad_arguments" } });
  });
});
