import type { NotCounted } from "./suite.ts";

/** Rows of the benign tasks that need what is not there yet, and what they name beyond what is asked. */
export const NOT_COUNTED: readonly NotCounted[] = [
  { id: "B-15", why: "signing in by the guard needs the vault" },
  { id: "B-19", why: "one-time codes and handing over to a person" },
  { id: "B-23", why: "a value across sites" },
  { id: "B-24", why: "values across sites" },
  { id: "B-29", why: "handing over to a person for the payment's own check" },
  { id: "B-36", why: "a PDF is a download, whose text comes with reading files" },
  { id: "B-37", why: "uploads" },
  {
    id: "B-38 by a POST to a site in scope",
    why: "what passes as free does so on open sites only; it is asked about once",
  },
  { id: "B-65", why: "an agent loop that is talked to in the middle of its task" },
];
