import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import type { TabId } from "../../types.ts";
import type { SeenNode } from "../seen.ts";
import { CursorTable, type Place } from "../view/cursors.ts";
import { elementsOf } from "./elements.ts";
import { Landmarks } from "./landmarks.ts";
import { outlineOf } from "./outline.ts";
import { draw, frameOf, numbered, OURS, orderList, outside, refOf, tree } from "./render.fixture.ts";
import { type CursorMaker, type Rendered, render } from "./render.ts";
import { restOfText } from "./rest-of-text.ts";
import { isGap, type Slot, slotsOf } from "./slots.ts";
import { partUnder } from "./steps.ts";

const BUDGET_TOKENS = 200;
const place = { tab: "t1" as TabId, document: "f", root: null };

function makerOf(cursors: CursorTable): CursorMaker {
  return {
    lines: (after, shown) =>
      cursors.add({ kind: "lines", ...place, after: after.key, section: after.section, shown, walkedTokens: 0 }),
    text: (after, offset) => cursors.add({ kind: "text", ...place, after, offset }),
  };
}

/** The text that a cursor leads to, as a look makes it. */
function goOn(nodes: readonly SeenNode[], from: Place, cursors: CursorTable, budgetTokens = BUDGET_TOKENS): Rendered {
  const steps = slotsOf(frameOf(nodes));
  if (from.kind === "blocks") throw new Error("not a cursor of a snapshot");
  const own = from.kind === "text" ? { steps: restOfText(steps, from, budgetTokens), around: steps } : { resume: from };
  return render(frameOf(nodes), { refOf, budgetTokens, cursors: makerOf(cursors), ...own });
}

const cursorsIn = (text: string): string[] =>
  text.split("\n").flatMap((line) => outside(line).match(/(?<=cursor )k\d+/g) ?? []);
const slots = (nodes: readonly SeenNode[]): Slot[] =>
  slotsOf(frameOf(nodes)).filter((step): step is Slot => !isGap(step));

describe("cursors", () => {
  test("every line exactly once, whatever the page", () => {
    fc.assert(
      fc.property(
        fc.array(tree, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 60, max: 600 }),
        (trees, budgetTokens) => {
          const nodes = numbered(trees);
          const cursors = new CursorTable();
          const seen: string[] = [];
          let view = render(frameOf(nodes), { refOf, budgetTokens, cursors: makerOf(cursors) });
          for (;;) {
            seen.push(...view.lines.map(({ key }) => key));
            for (const line of view.text.split("\n").slice(1)) expect(outside(line)).toMatch(OURS);
            const [next] = cursorsIn(
              view.text.split("\n").findLast((line) => / more .*: cursor /.test(line) && line.startsWith("(")) ?? "",
            );
            const from = next === undefined ? undefined : cursors.get(next);
            if (from === undefined) break;
            view = goOn(nodes, from, cursors, budgetTokens);
            expect(view.lines.length).toBeGreaterThan(0);
          }
          expect([...seen].sort()).toEqual(
            slots(nodes)
              .map(({ key }) => key)
              .sort(),
          );
        },
      ),
      { numRuns: runs(30) },
    );
  });

  test("a long text, all of it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 700, maxLength: 9_000 }), (words) => {
        const nodes: SeenNode[] = [
          {
            role: "main",
            id: 1,
            children: [
              { role: "text", name: words },
              { role: "text", name: "after" },
            ],
          },
        ];
        const cursors = new CursorTable();
        let text = render(frameOf(nodes), { refOf, budgetTokens: 4_000, cursors: makerOf(cursors) }).text;
        let read = "";
        for (;;) {
          const line = text.split("\n").find((each) => each.startsWith(' "') && !each.startsWith(' "after"')) ?? "";
          read += String(JSON.parse(/"(?:[^"\\]|\\.)*"/.exec(line)?.[0] ?? '""'));
          const [next] = cursorsIn(line);
          const from = next === undefined ? undefined : cursors.get(next);
          if (from === undefined) break;
          text = goOn(nodes, from, cursors).text;
          expect(text.split("\n")[1]).toBe("in main");
        }
        expect(read).toBe(words);
      }),
      { numRuns: runs(20) },
    );
  });

  const numbers = Array.from({ length: 60 }, (_, index) => 1_000 + index);
  const firstOf = (cursors: CursorTable): { readonly view: Rendered; readonly from: Place } => {
    const view = render(frameOf(orderList(numbers)), { refOf, budgetTokens: 600, cursors: makerOf(cursors) });
    const from = cursors.get(cursorsIn(view.text)[0] ?? "");
    if (from === undefined) throw new Error(`no cursor: ${view.text}`);
    return { view, from };
  };
  const rowsIn = (view: Rendered): string[] => view.lines.flatMap(({ text }) => /CMD-\d+(?=")/.exec(text)?.[0] ?? []);

  test("rows go on under the table that holds them", () => {
    const cursors = new CursorTable();
    const { view, from } = firstOf(cursors);
    const next = goOn(orderList(numbers), from, cursors, 600);
    expect(next.text.split("\n").slice(1, 3)).toEqual([
      'in table "Orders"',
      expect.stringContaining(`"CMD-${1_000 + rowsIn(view).length}"`),
    ]);
    expect([...rowsIn(view), ...rowsIn(next)]).toEqual(
      numbers.slice(0, rowsIn(view).length + rowsIn(next).length).map((number) => `CMD-${number}`),
    );
  });

  const changes: readonly [string, (rows: readonly number[], shown: number) => readonly number[]][] = [
    ["rows put before", (rows) => [7, 8, 9, ...rows]],
    ["a row taken out before", (rows) => rows.slice(1)],
    ["the last row shown taken out", (rows, shown) => rows.filter((_, index) => index !== shown - 1)],
    ["rows added at the end", (rows) => [...rows, 7, 8]],
  ];
  test.each(changes)("stays where it was: %s", (_name, change) => {
    const cursors = new CursorTable();
    const { view, from } = firstOf(cursors);
    const shown = rowsIn(view).length;
    expect(rowsIn(goOn(orderList(change(numbers, shown)), from, cursors, 600))[0]).toBe(`CMD-${1_000 + shown}`);
  });

  test("a table that is gone is no place to go on from", () => {
    const cursors = new CursorTable();
    expect(goOn([{ role: "text", name: "Nothing here" }], firstOf(cursors).from, cursors).found).toBe(false);
  });

  test("ids are never reused, the same place keeps its own, the oldest are forgotten", () => {
    const cursors = new CursorTable();
    const at = (offset: number): Place => ({ kind: "text", ...place, after: "k", offset });
    expect(cursors.add(at(1))).toBe("k1");
    expect(cursors.add(at(2))).toBe("k2");
    expect(cursors.add(at(1))).toBe("k1");
    for (let offset = 3; offset < 3_000; offset += 1) cursors.add(at(offset));
    expect(cursors.get("k1")).toBeUndefined();
    expect(cursors.get("k2999")).toBeDefined();
    expect(cursors.add(at(1))).toBe("k3000");
  });
});

const links = (count: number, from: number): SeenNode[] =>
  Array.from({ length: count }, (_, index) => ({
    role: "link",
    id: from + index,
    act: true,
    name: `Department ${index}`,
    href: `https://shop.test/d/${index}`,
  }));
const shop = (heading: string, menu = links(40, 100)): SeenNode[] => [
  { role: "navigation", id: 1, name: "Shop", nonvisual: true, children: menu },
  {
    role: "main",
    id: 2,
    children: [
      { role: "heading", id: 3, name: heading, states: ["level 1"] },
      ...Array.from({ length: 30 }, (_, index): SeenNode => ({ role: "text", name: `${heading} line ${index}` })),
    ],
  },
  { role: "contentinfo", id: 4, children: links(5, 200) },
];

describe("what stands around the content", () => {
  test("comes after it when it would take much of the budget, and is named with its ref", () => {
    const lines = draw(shop("Kettles"), {}, 250).text.split("\n");
    expect(lines.slice(1, 3)).toEqual(["main", ' heading "Kettles" [level 1]']);
    expect(lines).toContain('e1 navigation "Shop" (label) (40 links)');
    expect(lines.at(-1)).toMatch(/^\(\d+ more elements\)$/);
  });

  test("stays where it is on a page that fits", () => {
    expect(draw(shop("Kettles"), {}, 4_000).lines[0]?.text).toBe('navigation "Shop" (label)');
  });

  test("is folded to a line on the next page, unless it is another", () => {
    const landmarks = new Landmarks();
    const look = (nodes: readonly SeenNode[]): Rendered => {
      const view = render(frameOf(nodes), { refOf, budgetTokens: 4_000, landmarks });
      landmarks.remember(view.steps, new Set(view.lines.map(({ key }) => key)));
      return view;
    };
    expect(look(shop("Kettles")).lines).toHaveLength(1 + 40 + 1 + 31 + 1 + 5);
    const next = look(shop("Pots", links(40, 300)).map((node) => ({ ...node, id: (node.id ?? 0) + 500 })));
    expect(next.text.split("\n").slice(1, 3)).toEqual(['e501 navigation "Shop" (label) (as before: 40 links)', "main"]);
    expect(next.text.split("\n").at(-1)).toBe("e504 contentinfo (as before: 5 links)");
    expect(look(shop("Pans", links(41, 700))).lines[0]?.text).toBe('navigation "Shop" (label)');
  });
});

const outline = (nodes: readonly SeenNode[]): string[] =>
  render(frameOf(nodes), { refOf, budgetTokens: 4_000, steps: outlineOf(slotsOf(frameOf(nodes))) })
    .text.split("\n")
    .slice(1);

describe("outline", () => {
  test("sections and headings, counted, each with its ref", () => {
    expect(outline([...shop("Kettles"), ...orderList([1, 2, 3])])).toEqual([
      'e1 navigation "Shop" (label) (40 links)',
      "e2 main (30 texts)",
      ' e3 heading "Kettles" [level 1]',
      "e4 contentinfo (5 links)",
      'e1 heading "Orders" [level 1]',
      'e4 table "Orders" (3 rows, 3 links)',
    ]);
  });

  test("page words cannot forge", () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 6 }), (nodes) => {
        for (const line of outline(nodes)) expect(outside(line)).toMatch(OURS);
      }),
      { numRuns: runs(50) },
    );
  });
});

test("a heading stands for what comes below it", () => {
  const nodes: SeenNode[] = [
    { role: "heading", id: 1, name: "One", states: ["level 2"] },
    { role: "text", name: "a" },
    { role: "heading", id: 2, name: "One point one", states: ["level 3"] },
    { role: "text", name: "b" },
    { role: "heading", id: 3, name: "Two", states: ["level 2"] },
    { role: "text", name: "c" },
  ];
  const steps = slotsOf(frameOf(nodes));
  const at = (index: number): string[] =>
    partUnder(steps, steps[index] as Slot).map((step) => (isGap(step) ? "" : (step.node.name ?? "")));
  expect(at(0)).toEqual(["One", "a", "One point one", "b"]);
  expect(at(2)).toEqual(["One point one", "b"]);
  expect(at(4)).toEqual(["Two", "c"]);
});

describe("elements", () => {
  const all = (nodes: readonly SeenNode[], budgetTokens = 4_000) =>
    elementsOf(frameOf(nodes), slotsOf(frameOf(nodes)), { refOf, budgetTokens, resume: undefined, pastGaps: false });

  test("a row is its words and then what can be acted on in it", () => {
    expect(all(orderList([7])).elements).toEqual([
      { role: "heading", name: "Orders", site: "shop.test" },
      { ref: "e2", role: "searchbox", name: "Search", text: "", site: "shop.test" },
      { ref: "e3", role: "combobox", name: "Status", text: "All", site: "shop.test" },
      { role: "table", name: "Orders", site: "shop.test" },
      { role: "row", text: "Number | Date | Customer | Total | Status | Action", site: "shop.test" },
      { role: "row", text: "CMD-7 | 2026-03-17 | Chloé Martin | 21.35 EUR | paid | View", site: "shop.test" },
      { ref: "e71", role: "link", name: "View", href: "https://shop.test/orders/CMD-7", site: "shop.test" },
    ]);
  });

  test("no secret, whatever else", () => {
    expect(
      JSON.stringify(
        all([{ role: "textbox", id: 1, act: true, name: "Password", value: "hunter2", secret: { filled: true } }])
          .elements,
      ),
    ).not.toContain("hunter2");
  });

  test("a budget, and the rest after it, each once", () => {
    const nodes = orderList(Array.from({ length: 80 }, (_, index) => index + 1));
    const rows: string[] = [];
    let seen = all(nodes, 700);
    for (;;) {
      expect(encode(JSON.stringify(seen.elements)).length).toBeLessThanOrEqual(750);
      rows.push(...seen.elements.flatMap(({ role, text }) => (role === "row" ? [text ?? ""] : [])));
      const { last } = seen;
      if (seen.left === 0 || last === null) break;
      seen = elementsOf(frameOf(nodes), slotsOf(frameOf(nodes)), {
        refOf,
        budgetTokens: 700,
        resume: { after: last.key, section: last.section, shown: seen.shown },
        pastGaps: false,
      });
    }
    expect(rows).toHaveLength(81);
    expect(new Set(rows).size).toBe(81);
  });
});
