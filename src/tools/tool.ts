import type { z } from "zod";
import type { Desk, Performed, Plan, Session } from "../session/session.ts";
import type { Approver } from "../types.ts";

/** What a tool adds to the envelope. `image` travels beside it. */
export interface Fields {
  readonly image?: { readonly bytes: Uint8Array; readonly mimeType: "image/png" };
  readonly [field: string]: unknown;
}

/** One tool: a small literal. It says what is meant; the session asks the guard and runs it. */
export interface Tool<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Extra extends Fields = Fields,
> {
  readonly name: Name;
  readonly title: string;
  /** For the model. Fixed words. */
  readonly description: string;
  /**
   * Strict; its root has no union, since some model APIs refuse whole requests for that. What a schema cannot say,
   * `check` does.
   */
  readonly input: Input;
  /** "look": exists in read mode too. */
  readonly effect: "look" | "act";
  /**
   * It only reads: from a page, or from what we know ("aside"). It goes on while somebody is asked; what acts waits.
   */
  reads?(args: z.output<Input>): "page" | "aside";
  /**
   * Of a tool that acts: what of it exists in read mode. What is wrong with the arguments there; null when nothing is.
   */
  inReadMode?(args: z.output<Input>): string | null;
  readonly deadline: "action" | "navigation";
  /** It may start on an empty tab. */
  readonly opens: boolean;
  /** Its result is a picture: it promises no structure. */
  readonly pictures?: boolean;
  /** What is wrong with arguments that the schema lets through; null when nothing is. */
  check?(args: z.output<Input>): string | null;
  plan(args: z.output<Input>, desk: Desk, session: Session): Promise<Plan<Extra>>;
}

/** Infers a tool's types from its literal. */
export function tool<const Name extends string, Input extends z.ZodObject, Extra extends Fields>(
  definition: Tool<Name, Input, Extra>,
): Tool<Name, Input, Extra> {
  return definition;
}

/** What a tool made of other calls works with. */
export interface Bench {
  readonly session: Session;
  /** All tools of the session. */
  readonly tools: readonly AnyTool[];
  /** They are the developer set. */
  readonly developer: boolean;
  readonly signal: AbortSignal | undefined;
  /** The face's own channel for what the calls ask. */
  readonly approver: Approver | undefined;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** A tool that makes other calls: each of them is judged by itself. */
export interface Composite<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Extra extends Fields = Fields,
> {
  readonly name: Name;
  readonly title: string;
  /** For the model. Fixed words. */
  readonly description: string;
  readonly input: Input;
  readonly effect: "look" | "act";
  readonly pictures?: boolean;
  check?(args: z.output<Input>): string | null;
  /** Rejects with `Failure` when a call is wrong; then none was made. */
  compose(args: z.output<Input>, bench: Bench): Promise<Performed<Extra>>;
}

export type AnyTool = Tool | Composite;

/** Infers a composite's types from its literal. */
export function composite<const Name extends string, Input extends z.ZodObject, Extra extends Fields>(
  definition: Composite<Name, Input, Extra>,
): Composite<Name, Input, Extra> {
  return definition;
}
