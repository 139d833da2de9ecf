/** One request as a page sends it, and what a careful person would want of it. */
export interface Sent {
  /** The first segment of its path; no other request of the chain has it, and no rule knows the word. */
  readonly name: string;
  readonly method: string;
  /** Whose host it goes to. */
  readonly to: "own" | "corner" | "other";
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Sending;
  /** A navigation takes the document's place: the last one of its input. */
  readonly from: "page" | "frame" | "worker" | "navigation";
  /** After its input, or its document's load. */
  readonly delayMs: number;
  /** Sent when the one before it in the list has been answered; it is not sent where that one was refused. */
  readonly isAfter: boolean;
  /** The answer sends it on. */
  readonly redirect: Redirect | null;
  readonly asks: boolean;
  /** Why it asks or passes, in the words of the rule. */
  readonly clause: Clause;
}

export interface Redirect {
  readonly status: 303 | 307;
  readonly path: string;
  readonly asks: boolean;
}

export type Sending =
  | { readonly is: "none" }
  | { readonly is: "json" | "text"; readonly text: string }
  | { readonly is: "form" | "parts"; readonly fields: readonly (readonly [name: string, value: string])[] }
  /** Parts with a file in them. */
  | { readonly is: "file"; readonly fields: readonly (readonly [name: string, value: string])[] }
  | { readonly is: "bytes"; readonly bytes: readonly number[] };

export type Clause =
  | "read"
  | "graphql read"
  | "safe verb"
  | "upkeep"
  | "draft"
  | "own"
  | "learned"
  | "plain"
  | "search"
  | "digits"
  | "harmless address"
  | "private"
  | "fixed slot"
  | "header"
  | "graphql change"
  | "typed"
  | "rewritten"
  | "file"
  | "opaque"
  | "serious verb"
  | "serious slot"
  | "cross site"
  | "corner"
  | "address"
  | "one-time"
  | "born touched"
  | "outbox";

export interface Field {
  readonly label: string;
  readonly name: string;
  readonly type: "text" | "search" | "number";
}

export type Input =
  | { readonly is: "press"; readonly sends: readonly Sent[] }
  | { readonly is: "type"; readonly field: Field; readonly text: string; readonly sends: readonly Sent[] };

export interface Visit {
  /** Path, query and fragment. */
  readonly path: string;
  readonly by: "agent" | "link";
  /** What the document sends by itself as it loads. */
  readonly loads: readonly Sent[];
  readonly inputs: readonly Input[];
}

export interface Chain {
  readonly seed: number;
  readonly isPrivate: boolean;
  /** What somebody says each time. */
  readonly answer: "once" | "no";
  readonly visits: readonly Visit[];
}

/** All requests of a chain, in the order in which they can be sent. */
export function sentOf({ visits }: Chain): readonly Sent[] {
  return visits.flatMap(({ loads, inputs }) => [...loads, ...inputs.flatMap(({ sends }) => sends)]);
}
