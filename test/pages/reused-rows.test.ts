import { afterAll, beforeAll, expect, test } from "vitest";
import { refOf, type Stage, stage } from "../acting/support.ts";

let it: Stage;
beforeAll(async () => {
  it = await stage();
});
afterAll(() => it?.[Symbol.asyncDispose]());

/** As a framework that keys its list by index: nodes stay in place, their words move. */
const LIST = `<h1>People</h1><ul></ul><p id=log></p><script>
  const list = document.querySelector("ul"); let names = ["Alice", "Bob", "Carol"];
  const draw = () => names.forEach((name, at) => {
    const item = list.children[at] ?? list.appendChild(Object.assign(document.createElement("li"), { innerHTML: "<b></b> <button>Delete</button>" }));
    item.querySelector("b").textContent = name;
    item.querySelector("button").onclick = () => { log.textContent += " deleted " + names[at]; fetch("/deleted/" + names[at], { method: "POST" }); };
  });
  draw();
</script>`;

test("T3: a list drawn by index got a new first row: Bob's Delete is refused, as another's now, and nobody is deleted", async () => {
  const shown = await it.show(LIST);
  const lines = (shown.snapshot ?? "").split("\n");
  const bob = lines.findIndex((line) => line.includes('"Bob"'));
  const ref = /e\d+(?= button "Delete")/.exec(lines.slice(bob).join("\n"))?.[0];
  expect(ref, shown.snapshot).toBeDefined();
  await (await it.session.page()).evaluate('names = ["Zoe", ...names]; draw()');

  const clicked = await it.call("click", { target: ref });
  expect(clicked).toMatchObject({ ok: false, error: { code: "stale" } });
  expect((await it.call("snapshot", { detail: "full" })).snapshot).not.toContain("deleted");
  expect(it.server.hits.filter(({ path }) => path.startsWith("/deleted/"))).toEqual([]);
});

test("T3: by what is meant in its row, the right one is found in its new place", async () => {
  await it.show(LIST);
  await (await it.session.page()).evaluate('names = ["Zoe", ...names]; draw()');
  const clicked = await it.call("click", { target: 'button "Delete" in "Bob"' });
  expect(clicked).toMatchObject({ ok: true, snapshot: expect.stringContaining("deleted Bob") });
  expect(it.server.hits.filter(({ path }) => path.startsWith("/deleted/")).map(({ path }) => path)).toEqual([
    "/deleted/Bob",
  ]);
});

test("T3: while nothing moved, the ref does what it was shown for", async () => {
  it.server.clear();
  const shown = await it.show(`<p>One</p><button onclick="fetch('/pressed', { method: 'POST' })">Press</button>`);
  expect(await it.call("click", { target: refOf(shown, "Press") })).toMatchObject({ ok: true });
  await it.server.waitForHit("/pressed");
});
