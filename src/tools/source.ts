import { Failure } from "../errors.ts";
import { blocksOf } from "../page/snapshot/blocks.ts";
import { joinFrames } from "../page/snapshot/join.ts";
import type { View } from "../page/view/view.ts";
import type { Desk, Session } from "../session/session.ts";
import type { Element, Label, Ref, Site, Value } from "../types.ts";

const BLOCK = /^b[1-9]\d{0,9}$/;
const REF = /^e[1-9]\d{0,9}$/;
/** As much as can be typed. */
const MAX_TEXT_CHARS = 100_000;
const READ_TOKENS = 200_000;

/**
 * The words of a block or of an element (its value when it is a field), with exactly the label that they carry. Rejects
 * with `Failure`.
 */
export async function valueFrom(from: string, desk: Desk, session: Session): Promise<Value> {
  if (BLOCK.test(from)) {
    const block = session.blocks.get(from);
    if (block === undefined) throw new Failure("no_match", "There is no such block. Use an id that get_text gave.");
    return pageValue(block.text, block.label);
  }
  if (!REF.test(from))
    throw new Failure("bad_arguments", "from is a ref such as e12, or the id of a block that get_text gave.");
  const view =
    desk.tabs.list().find((open) => open.refs.get(from as Ref)?.tab === open.tab) ?? (await desk.tabs.current());
  const element = await view.resolve({ by: "ref", ref: from as Ref }, desk.time);
  return element.field === null ? wordsOf(view, element, desk) : fieldValue(view, element);
}

async function wordsOf(view: View, element: Element, desk: Desk): Promise<Value> {
  const { top } = await joinFrames(view, { budgetTokens: READ_TOKENS, root: element, time: desk.time });
  const blocks = blocksOf(top);
  if (blocks.length === 0) throw new Failure("no_match", "That element shows no words.");
  const sites = new Set(blocks.flatMap(({ site }) => (site === null ? [] : [site])));
  return pageValue(blocks.map(({ text }) => text).join("\n"), { sites, private: new Set() });
}

async function fieldValue(view: View, element: Element): Promise<Value> {
  if (element.field?.secret === true)
    throw new Failure("bad_arguments", "The value of a secret field cannot be taken.");
  const { frame, localId } = view.place(element.ref);
  const value = await view.ask(frame, "value", [localId]);
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  const sites = new Set<Site>(element.site === null ? [] : [element.site]);
  return pageValue(text, { sites, private: new Set() });
}

function pageValue(text: string, label: Label): Value {
  if (text.length > MAX_TEXT_CHARS)
    throw new Failure("too_large", `That is more than ${MAX_TEXT_CHARS} characters. Take a smaller part of it.`);
  return { text, label, masked: false, channel: { kind: "PAGE", sites: label.sites } };
}
