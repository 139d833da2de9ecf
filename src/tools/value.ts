import type { Value } from "../types.ts";

const NO_LABEL = { sites: new Set<never>(), private: new Set<never>() };

/** Words that the model wrote into an argument: nothing is known of where it has them from. */
export function modelValue(text: string): Value {
  return { text, label: NO_LABEL, masked: false, channel: { kind: "MODEL" } };
}
