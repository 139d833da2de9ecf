import type { CallId, Choice, QuestionId } from "../types.ts";
import type { EffectAsked } from "./question.ts";
import type { ReachAsked } from "./reach-question.ts";
import type { AskedRequest } from "./request-facts.ts";

const ALL: readonly Choice[] = ["once", "form", "task", "no"];
const ASKED = {
  id: "q1" as QuestionId,
  call: "c1" as CallId,
  expires: 120_000,
  code: null,
  choices: ALL,
  means: { once: "this order", form: "and its next steps", task: "orders", no: "nothing is sent" },
  digest: "0123456789abcdef".repeat(4),
  requestDigests: ["fedcba9876543210".repeat(4)],
  reason: null,
};

export const REQUEST: AskedRequest = {
  method: "POST",
  url: "https://shop.test/orders",
  override: null,
  notes: [],
  headers: [],
  operations: null,
  fields: [{ name: "status", value: "shipped" }],
  files: [],
  text: null,
  opaqueBytes: null,
  bodyDigest: "ab".repeat(32),
  documentUrl: "https://shop.test/admin",
  credentials: false,
};

/** A reversible one about one request with one field, with what differs. */
export function effectAsked(differs: Partial<EffectAsked> = {}, request: Partial<AskedRequest> = {}): EffectAsked {
  return {
    ...ASKED,
    effect: "reversible",
    requests: [{ ...REQUEST, ...request }],
    lead: null,
    acts: [{ tool: "click", element: { role: "button", name: "Save", site: "shop.test" } }],
    drafts: 0,
    sourceOf: () => "agent",
    difference: null,
    ...differs,
  };
}

export function reachAsked(differs: Partial<ReachAsked> = {}): ReachAsked {
  return {
    ...ASKED,
    url: "https://www.desk.test/a?b=c",
    kind: "navigation",
    way: { by: "agent" },
    rule: "reach.site",
    why: "This site is not in scope.",
    imitates: null,
    ...differs,
  };
}
