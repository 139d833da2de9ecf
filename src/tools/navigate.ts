import { z } from "zod";
import { Failure } from "../errors.ts";
import { go, type Went } from "../page/acting/go.ts";
import { resolveTarget, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_URL_CHARS = 8_000;

export const navigate = tool({
  name: "navigate",
  title: "Open an address",
  description: "Opens an address, or the link with that ref, in the active tab and shows the page.",
  input: z.strictObject({
    url: z.string().min(1).max(MAX_URL_CHARS).optional().describe("absolute, or relative to the page"),
    ref: z.string().min(1).max(20).optional().describe("ref of a link"),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  deadline: "navigation",
  opens: true,
  check: (args) =>
    (args.url === undefined) === (args.ref === undefined) ? "navigate takes exactly one of: url, ref." : null,
  async plan(args, desk) {
    if (args.ref !== undefined) {
      const { view, element } = await resolveTarget(desk, args.ref);
      const { href } = element;
      if (href === null) throw new Failure("bad_arguments", "That ref is not a link. Use click.");
      return {
        verb: "go",
        view,
        element,
        sink: { kind: "url", url: href },
        look: "page",
        act: async (permit) => went(await go(view, href, permit, desk.time)),
      };
    }
    const view = await desk.tabs.forNavigation();
    const url = absolute(args.url ?? "", view.url);
    return {
      verb: "go",
      view,
      values: [modelValue(url)],
      sink: { kind: "url", url },
      look: "page",
      act: async (permit) => went(await go(view, url, permit, desk.time)),
    };
  },
});

export function went(outcome: Went): { readonly note?: string } {
  return outcome === "none" ? { note: "no document came; the page is as before" } : {};
}

/** Relative addresses resolve against the page; what does not parse is the guard's to refuse. */
function absolute(url: string, base: string): string {
  try {
    return new URL(url, /^https?:/.test(base) ? base : undefined).href;
  } catch {
    return url;
  }
}
