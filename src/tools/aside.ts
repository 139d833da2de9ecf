import type { Plan } from "../session/session.ts";
import type { Fields } from "./tool.ts";

/** The plan of a call that neither acts on a page nor looks at one afterwards: its own answer is all there is. */
export function aside<Extra extends Fields>(verb: "look" | "go", work: () => Extra | Promise<Extra>): Plan<Extra> {
  return {
    verb,
    view: null,
    look: "nothing",
    act: async (permit) => {
      permit.take();
      return work();
    },
  };
}
