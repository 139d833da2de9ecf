import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import type { Ref } from "../../types.ts";
import { enter, pressKey } from "../acting/act.ts";
import { type Bench, openBench, time } from "./identity.fixture.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.[Symbol.asyncDispose]());

const did = (): Promise<unknown> => bench.page.evaluate("window.did ?? []");
const NOTE = "const note = (name) => (window.did ??= []).push(name);";

const MOST_LOOKS = 10;

/** Shows the page, clicks what the pattern finds, gives what the page noted. */
async function clicking(html: string, ...patterns: readonly RegExp[]): Promise<unknown> {
  await bench.open(`<script>${NOTE}</script>${html}`);
  let text = await bench.look();
  // A look gives itself 0.4 s for what only the host can find out; on a busy machine the next one goes on with it.
  for (let looks = 1; looks < MOST_LOOKS && !patterns.every((pattern) => pattern.test(text)); looks++)
    text = await bench.look();
  for (const pattern of patterns)
    expect(`${String(pattern)} ${await bench.click(bench.refOf(text, pattern))}\n${text}`).toContain(
      `${String(pattern)} done`,
    );
  return did();
}

describe("what only a script knows", () => {
  test("open and closed shadow roots, and closed ones in closed ones", async () => {
    const html = `<x-open></x-open><div id=closed style="width:200px;height:60px"></div><script>
      const make = (host, mode, name) => { const root = host.attachShadow({ mode }); root.innerHTML = "<button>" + name + "</button><x-inner></x-inner>"; root.firstChild.onclick = () => note(name); return root; };
      make(document.querySelector("x-open"), "open", "Open");
      make(make(document.getElementById("closed"), "closed", "Closed").querySelector("x-inner"), "closed", "Inner");
    </script>`;
    expect(await clicking(html, /"Open"/, /"Closed"/, /"Inner"/)).toEqual(["Open", "Closed", "Inner"]);
  });

  test("a closed root that comes later", async () => {
    await bench.open(`<script>${NOTE}</script><p>Here</p>`);
    await bench.look();
    await bench.page.evaluate(`{ const host = document.body.appendChild(document.createElement("x-late")); const root = host.attachShadow({ mode: "closed" });
      root.innerHTML = "<button>Late</button><input aria-label=Note>"; root.firstChild.onclick = () => note("Late"); window.late = root; }`);
    const text = await bench.look();
    expect(await bench.click(bench.refOf(text, /"Late"/))).toBe("done");
    expect(
      await enter(bench.view, await bench.resolve(bench.refOf(text, /"Note"/)), "x", bench.permit(), {}, time),
    ).toBe("x");
    expect(await bench.page.evaluate("late.querySelector('input').value")).toBe("x");
  });

  test("listeners make plain elements clickable, a listener around everything does not", async () => {
    const html = `<div id=app><div id=a>Archive</div><ul><li id=b>First item</li><li>Second item</li></ul><img id=c alt="Zoom in" width=40 height=40 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></div><script>
      for (const id of ["a", "b", "c"]) document.getElementById(id).addEventListener("click", () => note(id));
      document.getElementById("app").addEventListener("click", () => {}); document.body.addEventListener("click", () => {}); document.addEventListener("click", () => {});
    </script>`;
    expect(await clicking(html, /clickable "Archive"/, /clickable "First item"/, /clickable "Zoom in"/)).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect((await bench.look()).match(/clickable/g)).toHaveLength(3);
  });

  test("a listener that comes after the first look", async () => {
    await bench.open(`<script>${NOTE}</script><div id=a>Later</div>`);
    expect(await bench.look()).not.toContain("clickable");
    await bench.page.evaluate(`document.getElementById("a").addEventListener("click", () => note("a"))`);
    expect(await bench.click(bench.refOf(await bench.look(), /clickable "Later"/))).toBe("done");
  });
});

describe("things without a role or a name of the usual sort", () => {
  test("a styled div, a span with tabindex, an svg icon, a label that hides a radio (T11)", async () => {
    const html = `<style>.b { cursor: pointer } .r { position: absolute; opacity: 0; width: 0; height: 0 }</style>
      <div class=b onclick="note('div')">Pay now</div><p>Text <span tabindex=0 onclick="note('span')">More</span></p>
      <svg width=24 height=24 style="cursor:pointer" onclick="note('svg')"><title>Close</title><path d="M0 0h24v24H0z"/></svg>
      <label><input type=radio name=s class=r onchange="note('radio')"><b>Express</b></label>`;
    expect(
      await clicking(html, /clickable "Pay now"/, /clickable "More"/, /clickable "Close"/, /radio "Express"/),
    ).toEqual(["div", "span", "svg", "radio"]);
    expect(await bench.look()).toMatch(/radio "Express" \[checked/);
  });

  test("icons that are pictures behind, svg in a button, inputs whose label has no for", async () => {
    const html = `<a href="#x" title="Basket" onclick="note('a')" style="display:inline-block;width:24px;height:24px;background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)"></a>
      <button onclick="note('b')"><svg width=20 height=20><title>Search</title><path d="M0 0h20v20H0z"/></svg></button>
      <div><label>Town</label><input onclick="note('c')"></div>`;
    expect(await clicking(html, /link "Basket"/, /button "Search"/, /textbox "Town"/)).toEqual(["a", "b", "c"]);
  });

  test("places in a canvas and in a picture with a map (T10)", async () => {
    await bench.open(`<script>${NOTE}</script><canvas width=300 height=120 style="border:0"></canvas><br>
      <img usemap=#m alt=Plan width=200 height=100 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name=m><area shape=rect coords="100,0,200,100" onclick="note('east')"></map>
      <script>document.querySelector("canvas").onclick = (event) => note(event.offsetX + "," + event.offsetY)</script>`);
    const text = await bench.look();
    const canvas = bench.refOf(text, /canvas/);
    expect(text).toContain('canvas = "300 by 120 px"');
    expect(await bench.click(canvas, { x: 250, y: 30 })).toBe("done");
    expect(await bench.click(bench.refOf(text, /region "Plan"/), { x: 150, y: 50 })).toBe("done");
    expect(await bench.click(canvas, { x: 301, y: 30 })).toBe("bad_arguments");
    expect(await did()).toEqual(["250,30", "east"]);
  });
});

describe("fields that are more than a field", () => {
  const entering = async (
    html: string,
    value: string,
    options: { readonly sequential?: boolean } = {},
  ): Promise<{ readonly told: string | null; readonly page: unknown }> => {
    await bench.open(html);
    const told = await enter(
      bench.view,
      await bench.resolve(bench.refOf(await bench.look(), /textbox/)),
      value,
      bench.permit(),
      options,
      time,
    );
    return { told, page: await bench.page.evaluate("window.state") };
  };

  test("edited content is replaced", async () => {
    const html = `<div contenteditable aria-label=Note oninput="window.state = this.textContent">Old <b>words</b></div>`;
    expect(await entering(html, "New")).toEqual({ told: "New", page: "New" });
  });

  test("a mask that wants keys", async () => {
    const html = `<input aria-label=Date onkeydown="if (/\\d/.test(event.key)) { event.preventDefault(); this.dataset.d = (this.dataset.d ?? '') + event.key; const d = this.dataset.d; this.value = d.replace(/^(..)(.)/, '$1/$2'); window.state = this.value }">`;
    expect(await entering(html, "1231", { sequential: true })).toEqual({ told: "12/31", page: "12/31" });
  });

  test("a value that a framework tracks by its own setter", async () => {
    // As React does it: a setter on the element itself hides changes by script; only those it did not see count.
    const html = `<input aria-label=Name><script>
      const input = document.querySelector("input"); const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value"); let tracked = "";
      Object.defineProperty(input, "value", { configurable: true, get() { return own.get.call(this) }, set(next) { tracked = next; own.set.call(this, next) } });
      input.addEventListener("input", () => { const now = own.get.call(input); if (now !== tracked) { tracked = now; window.state = now } });
    </script>`;
    expect(await entering(html, "Ada")).toEqual({ told: "Ada", page: "Ada" });
    expect(await entering(html, "Ada", { sequential: true })).toEqual({ told: "Ada", page: "Ada" });
  });

  test("a combobox of the page's own: typed into, chosen by click and by key", async () => {
    const html = `<label>Town <input role=combobox aria-controls=l aria-expanded=false></label><ul id=l role=listbox hidden></ul><script>
      const input = document.querySelector("input"), list = document.getElementById("l"); let at = -1;
      const pick = (name) => { input.value = name; list.hidden = true; input.setAttribute("aria-expanded", false); window.state = name };
      input.oninput = () => { list.innerHTML = ""; list.hidden = false; at = -1; input.setAttribute("aria-expanded", true);
        for (const name of ["Paris", "Parma", "Pau"].filter((n) => n.startsWith(input.value))) { const li = document.createElement("li"); li.setAttribute("role", "option"); li.textContent = name; li.onmousedown = (e) => { e.preventDefault(); pick(name) }; list.append(li) } };
      input.onkeydown = (event) => { if (event.key === "ArrowDown") at += 1; if (event.key === "Enter" && list.children[at]) pick(list.children[at].textContent) };
    </script>`;
    await bench.open(html);
    const field = bench.refOf(await bench.look(), /combobox "Town"/);
    await enter(bench.view, await bench.resolve(field), "Pa", bench.permit(), {}, time);
    const open = await bench.look();
    expect(open).toMatch(/combobox "Town" = "Pa" \[expanded/);
    expect(await bench.click(bench.refOf(open, /option "Parma"/))).toBe("done");
    expect(await bench.page.evaluate("state")).toBe("Parma");
    await enter(bench.view, await bench.resolve(field), "Pa", bench.permit(), { sequential: true }, time);
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"])
      await pressKey(bench.view, await bench.resolve(field), null, key, bench.permit(), time);
    expect(await bench.page.evaluate("state")).toBe("Pau");
  });

  test("a date picker: opened, a month on, a day chosen", async () => {
    await bench.open(`<label>Day <input readonly id=day></label><div id=cal role=dialog aria-label=Calendar hidden><button id=next>Next month</button><b id=month></b><table role=grid></table></div><script>
      const day = document.getElementById("day"), cal = document.getElementById("cal"); let month = 0; const names = ["January", "February", "March"];
      const draw = () => { document.getElementById("month").textContent = names[month]; cal.querySelector("table").innerHTML = "<tr>" + [1, 2, 3].map((d) => "<td role=gridcell tabindex=-1 style='cursor:pointer'>" + d + "</td>").join("") + "</tr>" };
      day.onclick = () => { cal.hidden = false; draw() }; document.getElementById("next").onclick = () => { month += 1; draw() };
      cal.querySelector("table").onclick = (event) => { const cell = event.target.closest("td"); if (cell) { day.value = names[month] + " " + cell.textContent; cal.hidden = true } };
    </script>`);
    expect(await bench.click(bench.refOf(await bench.look(), /textbox "Day"/))).toBe("done");
    expect(await bench.click(bench.refOf(await bench.look(), /"Next month"/))).toBe("done");
    const text = await bench.look();
    expect(text).toContain("February");
    expect(await bench.click(bench.refOf(text, /cell "2"/))).toBe("done");
    expect(await bench.page.evaluate("day.value")).toBe("February 2");
  });
});

test("frames in frames, of another site and without an address: read with their site and acted in (T9)", async () => {
  bench.other.html(
    "/inner",
    `<p>Deep words</p><button onclick="fetch('/pressed-inner')">Inner</button><iframe srcdoc="<p>Deepest words</p><button onclick=&quot;fetch('/pressed-srcdoc')&quot;>Deepest</button><input aria-label=Deep>"></iframe>`,
  );
  bench.server.html(
    "/middle",
    `<button onclick="fetch('/pressed-middle')">Middle</button><iframe src="${bench.other.url}/inner" width=400 height=300></iframe>`,
  );
  bench.server.html("/", `<h1>Top</h1><iframe src="${bench.server.url}/middle" width=600 height=500></iframe>`);
  await bench.page.goto(`${bench.server.url}/`);
  const text = await bench.look();
  expect(text).toContain("Deep words");
  expect(text).toContain("Deepest words");
  expect(text).toContain(`from ${bench.other.host}`);
  for (const name of ["Middle", "Inner", "Deepest"])
    expect(await bench.click(bench.refOf(text, new RegExp(`"${name}"`)))).toBe("done");
  await bench.server.waitForHit("/pressed-middle");
  await bench.other.waitForHit("/pressed-inner");
  await bench.other.waitForHit("/pressed-srcdoc");
  expect(await enter(bench.view, await bench.resolve(bench.refOf(text, /"Deep"/)), "x", bench.permit(), {}, time)).toBe(
    "x",
  );
});

interface Thing {
  readonly kind: number;
  readonly wrap: number;
  readonly hidden: number;
}

/** Ways to make something that a person can act on; ID stands for its number. */
const KINDS = [
  "<button onclick='note(ID)'>Do ID</button>",
  "<a href='#ID' onclick='note(ID)'>Go ID</a>",
  "<input type=checkbox onclick='note(ID)' aria-label='Tick ID'>",
  "<input onclick='note(ID)' aria-label='Field ID'>",
  "<select onclick='note(ID)' aria-label='Choice ID'><option>x</select>",
  "<div onclick='note(ID)'>Plain ID</div>",
  "<span tabindex=0 onclick='note(ID)'>Focus ID</span>",
  "<div class=listen data-n=ID>Listen ID</div>",
  "<div role=button onclick='note(ID)'>Role ID</div>",
  "<div role=switch aria-checked=false tabindex=0 onclick='note(ID)'>Switch ID</div>",
  "<label>Upon ID <input type=radio onclick='note(ID)'></label>",
  "<button onclick='note(ID)' aria-label='Icon ID'><svg width=16 height=16><path d='M0 0h16v16H0z'/></svg></button>",
  "<textarea onclick='note(ID)' aria-label='Area ID'></textarea>",
  "<details><summary onclick='note(ID)'>Open ID</summary>x</details>",
  "<div contenteditable onclick='note(ID)' aria-label='Edit ID'>words</div>",
] as const;
const WRAPS = [
  "<div>X</div>",
  "<p>Some words</p>X",
  "<ul><li>Item words X</li></ul>",
  "<section><h2>Part</h2>X</section>",
  "<table><tr><th>Head<th>Act</tr><tr><td>Cell<td>X</tr></table>",
  "<x-host>X</x-host>",
  "<x-closed>X</x-closed>",
] as const;
const TRANSPARENT = 3;
/** Places of the checkbox and the radio in `KINDS`. */
const RESTYLED = new Set([2, 10]);
const HIDINGS = ["", "display:none", "visibility:hidden", "opacity:0", "position:absolute;left:-9999px"] as const;

const thing: fc.Arbitrary<Thing> = fc.record({
  kind: fc.nat(KINDS.length - 1),
  wrap: fc.nat(WRAPS.length - 1),
  hidden: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: HIDINGS.length - 1 }) },
  ),
});

function pageOf(things: readonly Thing[]): string {
  const parts = things.map(({ kind, wrap, hidden }, id) => {
    const inner = (KINDS[kind] ?? "").replaceAll("ID", String(id));
    return `<div style="${HIDINGS[hidden] ?? ""}" data-part=${id}>${(WRAPS[wrap] ?? "X").replace("X", inner)}</div>`;
  });
  return `<script>${NOTE}</script>${parts.join("")}<script>
    for (const host of document.querySelectorAll("x-host, x-closed")) { const root = host.attachShadow({ mode: host.localName === "x-host" ? "open" : "closed" }); root.append(...host.childNodes); }
    const listen = (root) => { for (const each of root.querySelectorAll(".listen")) each.addEventListener("click", () => note(Number(each.dataset.n))); };
    listen(document);
    document.addEventListener("click", (event) => event.target.closest?.("a") && event.preventDefault());
  </script>`.replace(
    "root.append(...host.childNodes);",
    "root.append(...host.childNodes); setTimeout(() => listen(root));",
  );
}

test("on generated pages everything that can be acted on has a ref, nothing hidden has one, and each acts on its own element", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(thing, { minLength: 1, maxLength: 10 }), async (things) => {
      await bench.open(pageOf(things));
      await bench.page.evaluate("new Promise((resolve) => setTimeout(resolve))");
      const text = await bench.look();
      for (const [id, { kind, hidden }] of things.entries()) {
        const named = new RegExp(
          `"(?:Do|Go|Tick|Field|Choice|Plain|Focus|Listen|Role|Switch|Upon|Icon|Area|Open|Edit) ${id}"`,
        );
        // Boxes to tick that are transparent but in place are how pages restyle them: they are told.
        if (hidden === TRANSPARENT && RESTYLED.has(kind)) continue;
        if (hidden !== 0) {
          expect(text).not.toMatch(named);
          continue;
        }
        const line = text.split("\n").find((each) => named.test(each));
        const ref =
          line === undefined
            ? undefined
            : ([...line.matchAll(/\b(e\d+) [a-z]+ ("(?:[^"\\]|\\.)*")/g)].find((match) =>
                named.test(match[2] ?? ""),
              )?.[1] as Ref | undefined);
        if (ref === undefined) throw new Error(`no ref for ${id} (${JSON.stringify(things[id])}) in:\n${text}`);
        await bench.page.evaluate("void (window.did = [])");
        expect(await bench.click(ref)).toBe("done");
        expect(await did()).toEqual([id]);
      }
    }),
    { numRuns: runs(10, 100) },
  );
});
