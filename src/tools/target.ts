import { z } from "zod";
import { Failure } from "../errors.ts";
import type { View } from "../page/view.ts";
import type { Desk } from "../session/session.ts";
import type { Element, Ref, Target } from "../types.ts";

const REF = /^e[1-9]\d{0,9}$/;
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const ROLE = new RegExp(String.raw`^([a-z]+)\s+(${QUOTED})(?:\s+in\s+(${QUOTED}))?$`);
const MAX_TARGET_CHARS = 1_000;
const FORM = 'a target is a ref such as e12, or a role and an exact name in double quotes: button "Save", link "View" in "CMD-1042"';

export const targetArgument = z
  .string()
  .min(1)
  .max(MAX_TARGET_CHARS)
  // Before a browser is started for it.
  .refine((text) => read(text) !== null, { error: FORM })
  .describe('ref such as e12, or role "exact name", or role "exact name" in "text of its row or section"');
export const timeoutArgument = z.number().int().positive().max(3_600_000).optional().describe("deadline of this call in ms");

/** Reads a target. Throws `Failure("bad_arguments")`. */
export function parseTarget(text: string): Target {
  const target = read(text);
  if (target === null) throw new Failure("bad_arguments", `That cannot be read: ${FORM}.`);
  return target;
}

function read(text: string): Target | null {
  const trimmed = text.trim();
  if (REF.test(trimmed)) return { by: "ref", ref: trimmed as Ref };
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
export async function resolveTarget(desk: Desk, text: string): Promise<{ readonly view: View; readonly element: Element }> {
  const target = parseTarget(text);
  const view = await desk.tabs.current();
  return { view, element: await view.resolve(target, desk.time) };
}
