import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolResult } from "../types.ts";
import { envelopeText } from "./text.ts";

/**
 * `--results`: clients show the model either the text or the structured content, so each is complete; one may be left
 * out to save tokens.
 */
export const RESULTS_MODES = ["both", "text", "structured"] as const;
export type ResultsMode = (typeof RESULTS_MODES)[number];

export interface ResultOptions {
  readonly mode: ResultsMode;
  /** Whether the tool was listed with an output schema: clients then reject a success without structured content. */
  readonly promisedStructure: boolean;
}

/** ToolResult → CallToolResult. Pure. `isError` for refused and failed calls, not for pending ones. */
export function callToolResult(result: ToolResult, options: ResultOptions): CallToolResult {
  const { envelope, image } = result;
  const isError = envelope.refused !== undefined || envelope.error !== undefined;
  const content: CallToolResult["content"] = [];
  if (image)
    content.push({ type: "image", data: Buffer.from(image.bytes).toString("base64"), mimeType: image.mimeType });
  // Some clients show only the text of errors, and an image cannot be in the structure: there the text stays in every
  // mode.
  if (options.mode !== "structured" || isError || image) content.push({ type: "text", text: envelopeText(envelope) });
  // Some clients drop images that stand beside structured content: leave it out unless an output schema has promised
  // it.
  const structured = options.mode !== "text" && (!image || options.promisedStructure);
  return { content, ...(structured ? { structuredContent: { ...envelope } } : {}), ...(isError ? { isError } : {}) };
}
