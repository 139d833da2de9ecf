import { describe, expect, test } from "vitest";
import type { CallId, DocumentId, Element, FieldFacts, Intent, Ref, Site, TabId, Value } from "../types.ts";
import { Typed } from "./typed.ts";

const site = "shop.test" as Site;
const value = (text: string): Value => ({
  text,
  label: { sites: new Set(), private: new Set() },
  masked: false,
  channel: { kind: "MODEL" },
});

function element(type: FieldFacts["type"]): Element {
  return {
    ref: "e1" as Ref,
    tab: "t1" as TabId,
    document: "D" as DocumentId,
    frame: "F",
    site,
    role: "textbox",
    name: "A",
    within: null,
    href: null,
    field: { type, name: "a", secret: false },
    form: null,
  };
}

function intent(rest: Partial<Intent>): Intent {
  return {
    call: "c1" as CallId,
    tool: "type_text",
    verb: "enter",
    tab: "t1" as TabId,
    element: element("text"),
    values: [],
    sink: null,
    ...rest,
  };
}

const key = (name: string): Intent => intent({ tool: "press_key", values: [value(name)] });

/** `undefined`: ticked or not. */
function form(...fields: readonly (readonly [type: string, text: string | undefined])[]): Intent {
  const filled = fields.map(([type, text]) => ({
    element: element(type),
    values: text === undefined ? [] : [value(text)],
  }));
  return intent({
    tool: "fill_form",
    values: filled.flatMap(({ values }) => values),
    sink: { kind: "fields", fields: filled, submit: true },
  });
}

describe("what was put in and can be recognised", () => {
  test.each([
    ["a text", intent({ values: [value("Ada")], sink: { kind: "field", element: element("text") } }), ["Ada"]],
    [
      "a form of texts",
      form(["text", "Ada"], ["textarea", "Hello"], ["date", "2026-12-01"]),
      ["Ada", "Hello", "2026-12-01"],
    ],
    ["Enter", key("Enter"), []],
    ["Tab backwards", key("Shift+Tab"), []],
    ["Escape", key("Escape"), []],
    ["what an arrow chooses", key("ArrowDown"), []],
    ["an option", intent({ tool: "select_option", verb: "choose", values: [value("Shipped")] }), ["Shipped"]],
    ["a form with an option", form(["text", "Ada"], ["select", "Shipped"]), ["Ada", "Shipped"]],
  ])("%s", (_what, given, values) => {
    const typed = new Typed(() => false);
    typed.note(given);
    expect([typed.texts.map(({ text }) => text), typed.hasUnseen(site)]).toEqual([values, false]);
  });
});

describe("what was put in and cannot be", () => {
  test.each([
    ["a letter", key("a")],
    ["a digit with a modifier", key("Shift+1")],
    ["what space ticks", key("Space")],
    ["what is pasted", key("Control+v")],
  ])("%s", (_what, given) => {
    const typed = new Typed(() => false);
    typed.note(given);
    expect([typed.hasUnseen(site), typed.hasUnseen(null), typed.hasUnseen("desk.test" as Site)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
