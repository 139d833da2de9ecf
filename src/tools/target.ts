import { z } from "zod";
import { Failure } from "../errors.ts";
import type { View } from "../page/view/view.ts";
import type { Desk } from "../session/session.ts";
import type { Element, Ref, Target } from "../types.ts";
import { readLoose, resolveLoose } from "./loose-target.ts";

const REF = /^e[1-9]\d{0,9}$/;
/** A place inside a canvas or picture: CSS pixels from its upper left corner. */
const PLACE = /^(e[1-9]\d{0,9})@(\d{1,5}),(\d{1,5})$/;
const PLACED = new Set(["canvas", "region"]);
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const ROLE = new RegExp(String.raw`^([a-z]+)\s+(${QUOTED})(?:\s+in\s+(${QUOTED}))?$`);
const MAX_TARGET_CHARS = 1_000;
const FORM =
  'a target is a ref such as e12, or a role and an exact name in double quotes: button "Save", link "View" in "CMD-1042"';

export const targetArgument = z
  .string()
  .min(1)
  .max(MAX_TARGET_CHARS)
  // Before a browser is started for it.
  .refine((text) => read(text) !== null || readLoose(text) !== null, { error: FORM })
  .describe(
    'ref such as e12 (on a canvas or region e12@x,y), or role "exact name", or role "exact name" in "text of its row or section"',
  );
/** The model's own words for why, shown last to whoever approves. */
export const reasonArgument = z.string().max(200).optional();
export const timeoutArgument = z
  .number()
  .int()
  .positive()
  .max(3_600_000)
  .optional()
  .describe("deadline of this call in ms");

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Reads a target. Throws `Failure("bad_arguments")`. */
export function parseTarget(text: string): Target {
  const target = read(text);
  if (target === null) throw new Failure("bad_arguments", `That cannot be read: ${FORM}.`);
  return target;
}

function read(text: string): Target | null {
  const trimmed = text.trim();
  if (REF.test(trimmed)) return { by: "ref", ref: trimmed as Ref };
  const [, ref, x, y] = PLACE.exec(trimmed) ?? [];
  if (ref !== undefined) return { by: "ref", ref: ref as Ref, at: { x: Number(x), y: Number(y) } };
  const [, role, quotedName, quotedWithin] = ROLE.exec(trimmed) ?? [];
  if (role === undefined || quotedName === undefined) return null;
  const name = unquote(quotedName);
  const within = quotedWithin === undefined ? undefined : unquote(quotedWithin);
  if (name === null || within === null) return null;
  return { by: "role", role, name, ...(within !== undefined && { within }) };
}

/** Null for a broken escape. */
function unquote(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

/** The tab that a target is in (a ref's own, else the active one) and the element it means there. */
export async function resolveTarget(
  desk: Desk,
  text: string,
): Promise<{ readonly view: View; readonly element: Element }> {
  const { view, element, at } = await resolvePlace(desk, text);
  // What lies at a place of the viewport is an element like any other.
  if (at !== undefined && readLoose(text) === null)
    throw new Failure("bad_arguments", "A place inside an element can only be clicked or hovered over.");
  return { view, element };
}

/** Where `e12@x,y` is understood too. */
export async function resolvePlace(
  desk: Desk,
  text: string,
): Promise<{ readonly view: View; readonly element: Element; readonly at: Place | undefined }> {
  const loose = readLoose(text);
  if (loose !== null) return resolveLoose(desk, loose);
  const target = parseTarget(text);
  const view = await desk.tabs.current();
  const element = await view.resolve(target, desk.time);
  const at = target.by === "ref" ? target.at : undefined;
  if (at !== undefined && !PLACED.has(element.role))
    throw new Failure("bad_arguments", "Only a canvas or a region has places inside. Use the ref alone.");
  return { view, element, at };
}
