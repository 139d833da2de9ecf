import { z } from "zod";
import { Failure } from "../errors.ts";
import { choose, enter, pressKey } from "../page/acting/act.ts";
import { check, isCheckable } from "../page/acting/check.ts";
import { detailsOf, Incomplete } from "../page/view/incomplete.ts";
import type { View } from "../page/view/view.ts";
import type { Desk, Session } from "../session/session.ts";
import type { Element, Permit, Value } from "../types.ts";
import { valueFrom } from "./source.ts";
import { reasonArgument, resolveTarget, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_FIELDS = 30;
const MAX_TARGET_CHARS = 1_000;
const MAX_TEXT_CHARS = 100_000;
const MAX_VALUES = 100;
const MAX_VALUE_CHARS = 1_000;
const WAYS = ["text", "from", "checked", "values"] as const;
/** Fields that take words, but where Enter does not send the form. */
const NOT_SENT_BY_ENTER = new Set(["textarea", "contenteditable"]);
const NOT_TYPED_INTO = new Set(["select", "checkbox", "radio", "file", "button", "submit", "reset", "image"]);

const field = z.strictObject({
  target: z.string().min(1).max(MAX_TARGET_CHARS),
  text: z.string().max(MAX_TEXT_CHARS).optional(),
  from: z.string().min(1).max(12).optional(),
  checked: z.boolean().optional(),
  values: z.array(z.string().max(MAX_VALUE_CHARS)).min(1).max(MAX_VALUES).optional().describe("of a select"),
});
type FieldArguments = z.output<typeof field>;

/** One field with what goes into it. */
interface Entry {
  readonly element: Element;
  readonly values: readonly Value[];
  readonly typed: boolean;
  fill(view: View, element: Element, permit: Permit, desk: Desk): Promise<Filled>;
}

export type Filled =
  | { readonly value: string | null }
  | { readonly checked: boolean }
  | { readonly selected: readonly string[] };

export const fillForm = tool({
  name: "fill_form",
  title: "Fill a form",
  description:
    "Fills several fields in order, each with one of text, from, checked, values, and gives back what each holds then. Stops at the first failure.",
  input: z.strictObject({
    fields: z.array(field).min(1).max(MAX_FIELDS),
    submit: z.boolean().optional().describe("press Enter in the last text field afterwards"),
    reason: reasonArgument,
    timeout_ms: timeoutArgument,
  }),
  effect: "act",
  deadline: "action",
  opens: false,
  check(args) {
    const wrong = args.fields.findIndex((one) => WAYS.filter((way) => one[way] !== undefined).length !== 1);
    return wrong === -1 ? null : `fields.${wrong} takes exactly one of: ${WAYS.join(", ")}.`;
  },
  async plan(args, desk, session) {
    const entries: Entry[] = [];
    for (const [index, one] of args.fields.entries())
      entries.push(await numbered(index, () => understood(one, desk, session)));
    const [first] = entries;
    if (first === undefined) throw new Failure("bad_arguments", "fields is empty.");
    if (entries.some(({ element }) => element.site !== first.element.site))
      throw new Failure(
        "bad_arguments",
        "The fields belong to frames of different sites. Fill those of one site at a time.",
      );
    const sender =
      args.submit === true
        ? entries.findLast(({ element, typed }) => typed && !NOT_SENT_BY_ENTER.has(element.field?.type ?? ""))
        : undefined;
    if (args.submit === true && sender === undefined)
      throw new Failure(
        "bad_arguments",
        "None of these fields sends a form by Enter. Leave submit out and click the form's button.",
      );
    const view = await desk.tabs.current();
    return {
      verb: "enter",
      reason: args.reason,
      view,
      element: first.element,
      values: entries.flatMap(({ values }) => values),
      sink: {
        kind: "fields",
        fields: entries.map(({ element, values }) => ({ element, values })),
        submit: sender !== undefined,
      },
      look: "change",
      act: async (permit) => {
        const filled: Filled[] = [];
        for (const [index, entry] of entries.entries()) {
          try {
            filled.push(
              await entry.fill(
                view,
                index === 0 ? entry.element : await again(view, entry.element, desk),
                permit,
                desk,
              ),
            );
          } catch (error) {
            if (!Failure.is(error)) throw error;
            throw new Incomplete(
              error.code,
              inField(index, error.message),
              { ...detailsOf(error), filled, failed: index },
              { cause: error },
            );
          }
        }
        if (sender !== undefined)
          await pressKey(view, await again(view, sender.element, desk), null, "Enter", permit, desk.time);
        return { filled };
      },
    };
  },
});

async function understood(one: FieldArguments, desk: Desk, session: Session): Promise<Entry> {
  const { element } = await resolveTarget(desk, one.target);
  const { checked, values } = one;
  if (checked !== undefined) {
    if (!isCheckable(element))
      throw new Failure("bad_arguments", "checked goes only with a checkbox, radio or switch.");
    return {
      element,
      values: [],
      typed: false,
      fill: async (view, now, permit, { time }) => ({ checked: await check(view, now, checked, permit, time) }),
    };
  }
  if (values !== undefined) {
    if (element.field?.type !== "select") throw new Failure("bad_arguments", "values goes only with a select.");
    return {
      element,
      values: values.map(modelValue),
      typed: false,
      fill: async (view, now, permit, { time }) => ({ selected: await choose(view, now, values, permit, time) }),
    };
  }
  if (element.field === null || NOT_TYPED_INTO.has(element.field.type))
    throw new Failure("bad_arguments", "That target is not a field one can type into.");
  const value = one.from === undefined ? modelValue(one.text ?? "") : await valueFrom(one.from, desk, session);
  return {
    element,
    values: [value],
    typed: true,
    fill: async (view, now, permit, { time }) => ({ value: await enter(view, now, value.text, permit, {}, time) }),
  };
}

/**
 * What was filled before may have changed the words around an element. It counts as the same one while it is the same
 * node, of that role and name, and no other has them; else it stays what it was, and the act's own look decides.
 */
async function again(view: View, element: Element, desk: Desk): Promise<Element> {
  try {
    const found = await view.resolve({ by: "role", role: element.role, name: element.name }, desk.time);
    return found.ref === element.ref ? found : element;
  } catch (error) {
    if (Failure.is(error) && (error.code === "no_match" || error.code === "ambiguous")) return element;
    throw error;
  }
}

async function numbered<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!Failure.is(error)) throw error;
    throw new Failure(error.code, inField(index, error.message), { cause: error });
  }
}

function inField(index: number, message: string): string {
  return `fields.${index}: ${message}`;
}
