import type { z } from "zod";
import type { ToolDescription } from "../types.ts";
import { batch } from "./batch.ts";
import { click } from "./click.ts";
import { consoleMessages } from "./console-messages.ts";
import { executeJs } from "./execute-js.ts";
import { fillForm } from "./fill-form.ts";
import { find } from "./find.ts";
import { getText } from "./get-text.ts";
import { handleNextDialog } from "./handle-next-dialog.ts";
import { goBack, goForward } from "./history.ts";
import { hover } from "./hover.ts";
import { navigate } from "./navigate.ts";
import { networkRequests } from "./network-requests.ts";
import { pressKey } from "./press-key.ts";
import { toolSchema } from "./schema.ts";
import { screenshot } from "./screenshot.ts";
import { scroll } from "./scroll.ts";
import { selectOption } from "./select-option.ts";
import { snapshot } from "./snapshot.ts";
import { tabs } from "./tabs.ts";
import type { AnyTool, Composite, Tool } from "./tool.ts";
import { typeText } from "./type-text.ts";
import { waitFor } from "./wait-for.ts";

/** The standard set, in the order in which faces list them. */
const list = [
  navigate,
  snapshot,
  find,
  getText,
  click,
  typeText,
  fillForm,
  pressKey,
  selectOption,
  hover,
  scroll,
  waitFor,
  screenshot,
  goBack,
  goForward,
  tabs,
  handleNextDialog,
  consoleMessages,
  networkRequests,
  batch,
] as const;

/** What the developer set has beside them. */
const developerList = [executeJs] as const;

type Known = (typeof list)[number] | (typeof developerList)[number];

export type ToolName = Known["name"];
/** What a tool takes. */
export type ToolArguments<Name extends ToolName> = z.input<Extract<Known, { readonly name: Name }>["input"]>;
/** What it adds to the envelope when it succeeds. */
export type ToolFields<Name extends ToolName> =
  Extract<Known, { readonly name: Name }> extends
    | Tool<Name, infer _Input, infer Extra>
    | Composite<Name, infer _Input, infer Extra>
    ? Omit<Extra, "image">
    : never;

export const tools: readonly AnyTool[] = list;
export const developerTools: readonly AnyTool[] = [...list, ...developerList];

/** What exists in a mode. In read mode what acts is not there at all, but for the part of it that scrolls or closes. */
export function toolsOf(set: "standard" | "developer", mode: "read" | "act"): readonly AnyTool[] {
  const all: readonly AnyTool[] = set === "developer" ? developerTools : tools;
  if (mode === "act") return all;
  return all.flatMap((tool): readonly AnyTool[] => {
    if (tool.effect === "look") return [tool];
    if (!("plan" in tool) || tool.inReadMode === undefined) return [];
    const { check, inReadMode } = tool;
    return [{ ...tool, check: (args) => check?.(args) ?? inReadMode(args) }];
  });
}

/**
 * Small and open: a schema that names every field costs three times the tools themselves, and a closed one makes
 * clients reject results.
 */
const OUTPUT_SCHEMA = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;

export function describeTools(chosen: readonly AnyTool[] = tools): readonly ToolDescription[] {
  return chosen.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toolSchema(tool.input),
    outputSchema: tool.pictures === true ? null : OUTPUT_SCHEMA,
    readOnly: "plan" in tool && tool.reads !== undefined,
  }));
}
