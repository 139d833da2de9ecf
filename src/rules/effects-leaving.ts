import { EFFECT_OFFERS, UNASKED } from "./effects.ts";
import type { Rule } from "./rule.ts";

// TODO-remove: ids of the rules of effects that the code still uses. This file goes away with them.
export const EFFECTS_LEAVING = [
  {
    id: "effects.read",
    says: "In read mode nothing that may change something leaves, but what is listed as readLike and GraphQL queries (to be effects.readMode)",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: UNASKED,
  },
  {
    id: "effects.query",
    says: "GraphQL that holds queries and nothing else passes within its site; stored documents are not known, so they do not (to be effects.reads)",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "effects.repeat",
    says: "What a page sent by itself before the agent's first input, it may repeat: same place, fields and commands, no value that the agent put in, nothing irreversible (to be effects.learned)",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "effects.free",
    says: "On an open site that holds nothing of a person a first-party request without typed values and without a sign of being irreversible passes, a limited number of times (to be effects.plain)",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "effects.unsafe",
    says: "Every other request with a method but GET, HEAD and OPTIONS is asked about (to be effects.private, typed, serious and counted)",
    decides: ["ask", "refuse"],
    hard: false,
    offers: EFFECT_OFFERS,
    words: UNASKED,
  },
  {
    id: "effects.once",
    says: "One input may ask for one yes; what comes on top is refused (to be effects.many)",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "One input may ask for one yes, and this request came on top of it.",
        remedy: "Look at the page. If the step is still needed, do it as an action of its own.",
        operator: "answer 'form' or 'task' to permit the following steps, too",
      },
    },
  },
  {
    id: "effects.hop",
    says: "What was sent with a yes, the server of its site may carry on within that site (to be judged anew)",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
] as const satisfies readonly Rule[];
