import type { ToolDescription } from "../types.ts";
import { click } from "./click.ts";
import { find } from "./find.ts";
import { getText } from "./get-text.ts";
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
import type { Tool } from "./tool.ts";
import { typeText } from "./type-text.ts";
import { waitFor } from "./wait-for.ts";

/** Every tool there is, in the order in which faces list them. */
export const tools: readonly Tool[] = [
  navigate,
  snapshot,
  find,
  getText,
  click,
  typeText,
  pressKey,
  selectOption,
  hover,
  scroll,
  waitFor,
  screenshot,
  goBack,
  goForward,
  tabs,
  networkRequests,
];

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
