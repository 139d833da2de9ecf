import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import type { Ref } from "../../types.ts";
import { enter } from "../acting/act.ts";
import { type Bench, openBench, time } from "./identity.fixture.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 60_000);
afterAll(() => bench?.[Symbol.asyncDispose]());
beforeEach(() => bench.server.clear());

/**
 * A list that a framework renders by index: nodes stay where they are, words change. `did` gets the row that the page
 * acted on.
 */
const LISTS: Readonly<Record<string, string>> = {
  "list items": "<ul id=list></ul>|<li><span class=name></span> <button>Delete</button></li>",
  "a table":
    "<table id=list><tr><th>Name<th></tr></table>|<tr><td class=name></td><td><button>Edit</button> <button>Delete</button></td></tr>",
  "plain blocks": "<div id=list></div>|<div><span class=name></span><button>Delete</button></div>",
  "blocks in blocks":
    "<div id=list></div>|<div><div><b class=name></b></div><div><button>Edit</button><button>Delete</button></div></div>",
  "cells of blocks":
    "<div id=list></div>|<div class=r><div class=c><a class=name href=#></a></div><div class=c><button>Edit</button></div><div class=c><button>Delete</button></div></div>",
  "nothing around":
    "<div id=list></div>|<div style='display:contents'><span class=name></span> <button>Delete</button><br></div>",
  "a form each":
    "<div id=list></div>|<form onsubmit='return false'><span class=name></span><button>Delete</button></form>",
  "sections with headings":
    "<main id=list></main>|<section><h3 class=name></h3><p>In stock</p><button>Delete</button></section>",
  "names that are buttons":
    "<ul id=list></ul>|<li><button class=name></button><button aria-label=Delete>x</button></li>",
  "actions in a list of their own":
    "<div id=list></div>|<div><p class=name></p><ul><li><button>Edit</button></li><li><button>Delete</button></li></ul></div>",
  "values in fields":
    "<table id=list></table>|<tr><td><input class=name aria-label=Name></td><td><button>Delete</button></td></tr>",
  links: "<ul id=list></ul>|<li><i class=name></i> <a href=#>Delete</a></li>",
};

const SCRIPT = `
const [outer, inner] = PARTS;
document.body.innerHTML = outer;
const list = document.getElementById("list");
const template = document.createElement("template");
template.innerHTML = inner;
const did = [];
let rows = [];
const made = [];
function render(next) {
  rows = next;
  const root = list.tBodies ? list.tBodies[0] || list.appendChild(document.createElement("tbody")) : list;
  while (made.length < rows.length) {
    const node = template.content.firstElementChild.cloneNode(true);
    const index = made.length;
    node.addEventListener("click", (event) => { if (event.target.closest("button, a") && (event.target.textContent === "Delete" || event.target.getAttribute("aria-label") === "Delete")) did.push(rows[index]); });
    root.append(node); made.push(node);
  }
  while (made.length > rows.length) made.pop().remove();
  made.forEach((node, index) => { const name = node.querySelector(".name"); if (name.localName === "input") name.value = rows[index]; else name.textContent = rows[index]; });
}
`;

const pageOf = (kind: string): string =>
  `<body><script>${SCRIPT.replace("PARTS", JSON.stringify((LISTS[kind] ?? "|").split("|")))}</script>`;
const render = (rows: readonly string[]): Promise<void> => bench.page.evaluate(`render(${JSON.stringify(rows)})`);
const did = async (): Promise<readonly string[]> => (await bench.page.evaluate("did")) as string[];

/** Refs of the Delete controls, in the order of rows. */
const deletesIn = (text: string): readonly Ref[] =>
  [...text.matchAll(/(e\d+) (?:button|link) "(?:Delete|x)"|(e\d+) button "Delete" \(label\)/g)].map(
    (match) => (match[1] ?? match[2]) as Ref,
  );

describe.each(Object.keys(LISTS))("rows made by index: %s", (kind) => {
  test("a row that became another one is refused at once, in its place as well as before the click", async () => {
    await bench.open(pageOf(kind));
    await render(["Bob", "Carol"]);
    const [bob, carol] = deletesIn(await bench.look());
    if (bob === undefined || carol === undefined) throw new Error(await bench.look());
    await render(["Alice", "Bob", "Carol"]);
    expect(await bench.click(bob)).toBe("stale");
    expect(await bench.click(carol)).toBe("stale");
    expect(await did()).toEqual([]);
    await render(["Bob", "Carol"]);
    expect(await bench.click(carol)).toBe("done");
    expect(await did()).toEqual(["Carol"]);
  });

  test("the only row that became another one is refused", async () => {
    await bench.open(pageOf(kind));
    await render(["Bob"]);
    const [bob] = deletesIn(await bench.look());
    if (bob === undefined) throw new Error("no Delete");
    await render(["Alice"]);
    expect(await bench.click(bob)).toBe("stale");
    expect(await did()).toEqual([]);
  });
});

const NAMES = ["Ann", "Bob", "Carol", "Dan", "Eve", "Fay"];
const rowsOf = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 5 });

test("whatever a list becomes between look and click, what is done is done to the row that was shown, or nothing is", async () => {
  let clicks = 0;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(LISTS)),
      rowsOf,
      fc.nat(),
      rowsOf,
      fc.boolean(),
      async (kind, before, chosen, after, same) => {
        await bench.open(pageOf(kind));
        await render(before);
        const refs = deletesIn(await bench.look());
        expect(refs).toHaveLength(before.length);
        const index = chosen % before.length;
        const ref = refs[index];
        if (ref === undefined) throw new Error("no ref");
        await render(same ? before : after);
        const outcome = await bench.click(ref);
        const acted = await did();
        clicks += 1;
        if (outcome === "done") done += 1;
        expect(acted).toEqual(outcome === "done" ? [before[index]] : []);
        if (same) expect(outcome).toBe("done");
      },
    ),
    { numRuns: runs(20, 200) },
  );
  expect(done).toBeGreaterThan(clicks / 4);
});

test("a list that is made anew all the time: never another row", async () => {
  await bench.open(pageOf("blocks in blocks"));
  await render(NAMES);
  const refs = deletesIn(await bench.look());
  await bench.page.evaluate(
    `{ let turn = 0; const names = ${JSON.stringify(NAMES)}; setInterval(() => { turn += 1; render(names.map((_, i) => names[(i + turn) % names.length])); }, 3); }`,
  );
  for (const [index, ref] of refs.entries()) {
    await bench.click(ref);
    for (const name of await did()) expect(name).toBe(NAMES[index]);
    await bench.page.evaluate("void (did.length = 0)");
  }
});

test("what changes in the last moment, under the pointer, is not clicked", async () => {
  await bench.open(pageOf("list items"));
  await render(["Bob", "Carol"]);
  const [bob] = deletesIn(await bench.look());
  if (bob === undefined) throw new Error("no Delete");
  // Between the last look at it and the press: a stylesheet's animation lets Playwright wait until it stands still.
  await bench.page.evaluate(`{
    const at = document.querySelector("li");
    at.animate([{ marginLeft: "40px" }, { marginLeft: "0px" }], 400).finished.then(() => render(["Alice", "Bob", "Carol"]));
  }`);
  expect(await bench.click(bob)).toBe("stale");
  expect(await did()).toEqual([]);
});

test("what moves away as the pointer comes is not clicked, and that is said", async () => {
  await bench.open(
    "<body><p id=tip>A tip of one line</p><button id=b style='display:block'>Buy</button><script>let clicks = 0; b.onclick = () => clicks++; document.onmousemove = () => tip.style.marginBottom = '300px'</script>",
  );
  const text = await bench.look();
  const ref = /(e\d+) button "Buy"/.exec(text)?.[1] as Ref;
  expect(await bench.click(ref)).toBe("covered");
  expect(await bench.page.evaluate("clicks")).toBe(0);
  // Where it stands still again.
  expect(await bench.click(ref)).toBe("done");
  expect(await bench.page.evaluate("clicks")).toBe(1);
});

describe("what is still the same", () => {
  test("an element that was made anew is found again when nothing else looks like it, and keeps its ref", async () => {
    const row = (name: string): string =>
      `<li>${name} <button onclick="(window.did ??= []).push('${name}')">Delete</button></li>`;
    await bench.open(`<ul>${row("Bob")}${row("Carol")}</ul>`);
    const ref = bench.refOf(await bench.look(), /"Carol"/);
    await bench.page.evaluate(
      `document.querySelector("ul").innerHTML = ${JSON.stringify(row("Alice") + row("Bob") + row("Carol"))}`,
    );
    expect(await bench.click(ref)).toBe("done");
    expect(await did()).toEqual(["Carol"]);
    expect(bench.refOf(await bench.look(), /"Carol"/)).toBe(ref);
  });

  test("not when two look like it, before or after", async () => {
    const row = (name: string): string =>
      `<li>${name} <button onclick="(window.did ??= []).push('${name}')">Delete</button></li>`;
    await bench.open(`<ul>${row("Bob")}</ul>`);
    const one = bench.refOf(await bench.look(), /"Bob"/);
    await bench.page.evaluate(`document.querySelector("ul").innerHTML = ${JSON.stringify(row("Bob") + row("Bob"))}`);
    expect(await bench.click(one)).toBe("stale");
    const two = bench.refOf(await bench.look(), /"Bob"/);
    await bench.page.evaluate(`document.querySelector("ul").innerHTML = ${JSON.stringify(row("Bob"))}`);
    expect(await bench.click(two)).toBe("stale");
    expect(await bench.page.evaluate("window.did")).toBeUndefined();
  });

  test("the same row of another section is refused", async () => {
    const part = (head: string): string =>
      `<section><h2>${head}</h2><ul><li>Bob <button>Delete</button></li><li>Al <button>Delete</button></li></ul></section>`;
    await bench.open(part("Open"));
    const ref = bench.refOf(await bench.look(), /"Bob"/);
    await bench.page.evaluate(`document.querySelector("h2").textContent = "Closed"`);
    expect(await bench.click(ref)).toBe("stale");
  });

  test("a link that leads elsewhere is refused", async () => {
    await bench.open("<p><a href=/one>Go on</a></p>");
    const ref = bench.refOf(await bench.look(), /"Go on"/);
    await bench.page.evaluate(`document.querySelector("a").href = "/two"`);
    expect(await bench.click(ref)).toBe("stale");
  });

  test("what others do elsewhere, what a pointer brings up and what was typed change nothing", async () => {
    await bench.open(`<table><tr><th>Name<th>Qty<th></tr>
      <tr onmouseenter="this.lastElementChild.insertAdjacentHTML('beforeend', '<button>Edit</button>')"><td>Bob<td><input aria-label=Qty value=1><td><button onclick="(window.did ??= []).push('Bob')">Save</button></tr>
      <tr><td>Carol<td><input aria-label=Qty value=1><td><button>Save</button></tr></table><p id=clock>1</p>`);
    const text = await bench.look();
    const [qty, save] = [...(/row .*Bob.*/.exec(text)?.[0] ?? "").matchAll(/e\d+/g)].map(([ref]) => ref as Ref);
    if (qty === undefined || save === undefined) throw new Error(text);
    await bench.page.evaluate(
      `document.getElementById("clock").textContent = "2"; document.querySelector("table").insertRow().innerHTML = "<td>Zoe<td><td>"`,
    );
    expect(await enter(bench.view, await bench.resolve(qty), "5", bench.permit(), {}, time)).toBe("5");
    expect(await enter(bench.view, await bench.resolve(qty), "7", bench.permit(), { sequential: true }, time)).toBe(
      "7",
    );
    expect(await bench.click(save)).toBe("done");
    expect(await did()).toEqual(["Bob"]);
  });

  test("but a row whose fields hold another's values is another row", async () => {
    await bench.open(
      `<table><tr><td><input aria-label=Name value=Bob><td><input aria-label=Qty value=1><td><button>Save</button></tr></table>`,
    );
    const text = await bench.look();
    const qty = bench.refOf(text, /"Qty"/);
    const [, second] = [...text.matchAll(/e\d+/g)].map(([ref]) => ref as Ref);
    await bench.page.evaluate(`document.querySelector("input").value = "Alice"`);
    await expect(bench.resolve(second ?? qty)).rejects.toMatchObject({ code: "stale" });
  });

  test("typing never goes into another row", async () => {
    await bench.open(`<ul><li><b>Bob</b> <input aria-label=Qty></li><li><b>Carol</b> <input aria-label=Qty></li></ul>`);
    const ref = bench.refOf(await bench.look(), /"Bob"/);
    const meant = await bench.resolve(ref);
    await bench.page.evaluate(`document.querySelector("b").textContent = "Alice"`);
    await expect(enter(bench.view, meant, "5", bench.permit(), {}, time)).rejects.toMatchObject({ code: "stale" });
    expect(await bench.page.evaluate(`document.querySelector("input").value`)).toBe("");
  });
});

test("a call knows only the views that were given before it was made", async () => {
  await bench.open(pageOf("plain blocks"));
  await render(["Bob", "Carol"]);
  const [, carol] = deletesIn(await bench.look());
  if (carol === undefined) throw new Error("no Delete");
  const knows = bench.view.refs.views;
  await render(["Carol", "Dan"]);
  await bench.look();
  // The model has not seen that the ref stands for Dan now.
  await expect(bench.view.resolve({ by: "ref", ref: carol }, { ...time, knows })).rejects.toMatchObject({
    code: "stale",
  });
  expect(await bench.click(carol)).toBe("done");
  expect(await did()).toEqual(["Dan"]);
});
