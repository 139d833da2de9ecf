import type { Rendered } from "./render.ts";

/** What the model saw of a tab last. */
export interface Memory {
  /** Key of the main frame's document. */
  readonly document: string;
  readonly rendered: Rendered;
}
