import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import type { Ref, Site } from "../../types.ts";
import type { SeenNode } from "../seen.ts";
import { findIn, type Match, type Query } from "./find.ts";
import { joinFrame } from "./joined.ts";
import { frameOf, orderList, refOf, SITE, seen } from "./render.fixture.ts";

const find = (nodes: readonly SeenNode[], query: Query): readonly Match[] => findIn(frameOf(nodes), query, refOf);
const text = (name: string): SeenNode => ({ role: "text", name });
const link = (id: number, name: string): SeenNode => ({
  role: "link",
  id,
  act: true,
  name,
  href: `https://shop.test/${id}`,
});

describe("where something is found", () => {
  const numbers = Array.from({ length: 24 }, (_, index) => 1_042 + index);
  const card = (id: number, name: string): SeenNode => ({
    role: "article",
    id,
    name,
    children: [
      { role: "heading", id: id + 1, name },
      text("39.90 EUR"),
      { role: "button", id: id + 2, act: true, name: "Add" },
    ],
  });
  const table: readonly [string, readonly SeenNode[], Query, readonly Match[]][] = [
    [
      "a cell: its row once, with what acts in it",
      orderList(numbers),
      { text: "cmd-1050" },
      [{ in: "CMD-1050 | 2026-03-20 | Kim Min-jun | 3150.35 EUR | open | View", refs: ['e10501 link "View"'] }],
    ],
    [
      "a button in a card: the card",
      [card(10, "Kettle"), card(20, "Pot")],
      { role: "button", name: "Add" },
      [
        { ref: "e12" as Ref, role: "button", name: "Add", in: "Kettle" },
        { ref: "e22" as Ref, role: "button", name: "Add", in: "Pot" },
      ],
    ],
    [
      "bare words: the heading above",
      [{ role: "heading", id: 1, name: "Returns" }, text("Free for thirty days.")],
      { text: "thirty" },
      [{ text: "Free for thirty days.", in: "Returns" }],
    ],
    [
      "words split by a link: the sentence, with the link",
      [text("Read"), link(7, "our terms"), text("before you order.")],
      { text: "our terms before" },
      [{ text: "our terms before you order.", refs: ['e7 link "our terms"'] }],
    ],
    [
      "words that no space parts",
      [text("Total: "), link(7, "39"), text(".90 EUR")],
      { text: "39.90" },
      [{ text: "39 .90 EUR", refs: ['e7 link "39"'] }],
    ],
    [
      "words of separate sections are no sentence",
      [
        { role: "main", id: 1, children: [text("one")] },
        { role: "main", id: 2, children: [text("two")] },
      ],
      { text: "one two" },
      [],
    ],
    ["nothing", orderList(numbers), { text: "CMD-9" }, []],
  ];
  test.each(table)("%s", (_name, nodes, query, matches) => {
    expect(find(nodes, query)).toEqual(matches);
  });

  test("in a frame", () => {
    const inner = joinFrame(
      "g",
      "pay.test" as Site,
      seen([{ role: "button", id: 1, act: true, name: "Pay" }]),
      () => null,
    );
    const outer = joinFrame("f", SITE, seen([text("Before"), { role: "frame", id: 1 }]), () => inner);
    expect(findIn(outer, { text: "pay" }, (frame, { id }) => `e${frame === "g" ? 9 : 0}${id}` as Ref)).toEqual([
      { ref: "e91", role: "button", name: "Pay" },
    ]);
  });

  test("in a long text: the words around, few tokens", () => {
    const [match, ...more] = find(
      [text(`${"Words and words. ".repeat(600)}The code is 7713.${" More words.".repeat(600)}`)],
      { text: "code is 7713" },
    );
    expect(more).toEqual([]);
    expect(match?.text).toContain("The code is 7713.");
    expect(encode(JSON.stringify(match)).length).toBeLessThanOrEqual(70);
  });

  test("a row costs few tokens", () => {
    expect(encode(JSON.stringify(find(orderList(numbers), { text: "CMD-1050" }))).length).toBeLessThanOrEqual(60);
  });
});
