import type { ToolDescription } from "../types.ts";
import { click } from "./click.ts";
import { navigate } from "./navigate.ts";
import { toolSchema } from "./schema.ts";
import { screenshot } from "./screenshot.ts";
import { selectOption } from "./select-option.ts";
import { snapshot } from "./snapshot.ts";
import type { Tool } from "./tool.ts";
import { typeText } from "./type-text.ts";

/** Every tool there is, in the order in which faces list them. */
export const tools: readonly Tool[] = [navigate, snapshot, click, typeText, selectOption, screenshot];

/** Small and open: a schema that names every field costs three times the tools themselves, and a closed one makes clients reject results. */
const OUTPUT_SCHEMA = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;

export function describeTools(list: readonly Tool[] = tools): readonly ToolDescription[] {
  return list.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toolSchema(tool.input),
    outputSchema: tool.pictures === true ? null : OUTPUT_SCHEMA,
    readOnly: tool.effect === "look",
  }));
}
