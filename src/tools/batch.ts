import { z } from "zod";
import { Failure } from "../errors.ts";
import { detailsOf, Incomplete } from "../page/view/incomplete.ts";
import type { Perform, Performed } from "../session/session.ts";
import type { BrowserEvent } from "../types.ts";
import { readArguments } from "./arguments.ts";
import { timeoutArgument } from "./target.ts";
import { type Bench, composite, type Fields, type Tool } from "./tool.ts";

const MAX_CALLS = 20;
/** Pictures are no part of a result that is one text; a whole page only where nothing comes after it. */
const NEVER_IN = new Set(["screenshot", "batch"]);
const ONLY_LAST = new Set(["snapshot"]);

interface Step {
  readonly tool: Tool;
  readonly args: Record<string, unknown>;
  readonly timeoutMs: number | undefined;
}

/** For the tool's own schema to judge: zod's records leave `__proto__` out, and what is left out cannot be refused. */
const asItCame = z.unknown().meta({ type: "object" });

export const batch = composite({
  name: "batch",
  title: "Several calls at once",
  description:
    "Makes calls one after another; none when one of them is wrong. Stops at the first that fails, and when the page is replaced.",
  input: z.strictObject({
    calls: z
      .array(z.strictObject({ tool: z.string().min(1).max(40), arguments: asItCame.optional() }))
      .min(1)
      .max(MAX_CALLS),
    timeout_ms: timeoutArgument.describe("of all together"),
  }),
  effect: "look",
  async compose(args, bench) {
    const steps = args.calls.map((call, index) => stepOf(call, index, args.calls.length, bench));
    return bench.session.together(steps.length, (perform) => run(steps, args.timeout_ms, perform, bench), bench.signal);
  },
});

/** Throws what is wrong with a call. */
function stepOf(
  call: { readonly tool: string; readonly arguments?: unknown },
  index: number,
  count: number,
  bench: Bench,
): Step {
  const tool = bench.tools.find((known) => known.name === call.tool);
  if (tool === undefined) throw new Failure("bad_arguments", `calls.${index}: There is no such tool.`);
  if (NEVER_IN.has(tool.name) || "compose" in tool)
    throw new Failure("bad_arguments", `calls.${index}: ${tool.name} cannot be a part of a batch.`);
  if (ONLY_LAST.has(tool.name) && index < count - 1)
    throw new Failure("bad_arguments", `calls.${index}: ${tool.name} can only be the last call of a batch.`);
  const read = readArguments(tool, call.arguments, bench.developer);
  if ("wrong" in read) throw new Failure("bad_arguments", `calls.${index}: ${read.wrong}`);
  return { tool, args: read.args, timeoutMs: (read.args as { readonly timeout_ms?: number }).timeout_ms };
}

/** What one call came to; the last one's page, view and failure stand in the batch's own result. */
interface StepResult {
  readonly tool: string;
  readonly ok: boolean;
  readonly [field: string]: unknown;
}

async function run(
  steps: readonly Step[],
  totalMs: number | undefined,
  perform: Perform,
  bench: Bench,
): Promise<Performed<Fields>> {
  const endsAt = totalMs === undefined ? null : bench.now() + totalMs;
  const results: StepResult[] = [];
  const events: BrowserEvent[] = [];
  let last: Performed<Fields> | null = null;
  let failure: Failure | null = null;
  for (const [index, { tool, args, timeoutMs }] of steps.entries()) {
    const leftMs = endsAt === null ? null : Math.floor(endsAt - bench.now());
    if (leftMs !== null && leftMs <= 0) {
      failure = new Failure("timeout", `calls.${index}: Not begun within the ${totalMs} ms of the batch.`);
      break;
    }
    last = await perform<Fields>({
      tool: tool.name,
      deadline: tool.deadline,
      opens: tool.opens,
      timeoutMs: leftMs === null ? timeoutMs : Math.min(timeoutMs ?? leftMs, leftMs),
      signal: bench.signal,
      approver: bench.approver,
      reads: tool.reads?.(args),
      quiet: index < steps.length - 1,
      plan: (desk) => tool.plan(args, desk, bench.session),
    });
    events.push(...last.events);
    results.push({
      tool: tool.name,
      ok: last.ok,
      ...last.fields,
      ...(last.receipt !== null && { receipt: last.receipt }),
    });
    if (last.error !== null)
      failure = new Incomplete(last.error.code, `calls.${index}: ${last.error.message}`, detailsOf(last.error), {
        cause: last.error,
      });
    if (!last.ok) break;
    const left = steps.length - 1 - index;
    if (last.changed === "document" && left > 0) {
      failure = new Failure(
        "stale",
        `The page was replaced by calls.${index}; the ${left} after it were not made. Go on with the new page.`,
      );
      break;
    }
  }
  const seen = last !== null && last.look === null && results.length > 1 ? await changes(perform, bench) : null;
  events.push(...(seen?.events ?? []));
  const { look = null, page = null, refused = null } = last ?? {};
  return {
    ok: failure === null && refused === null && last?.pending == null,
    fields: { results },
    refused,
    error: failure,
    look: look ?? seen?.look ?? null,
    page: page ?? seen?.page ?? null,
    changed: last?.changed ?? (seen?.look ? (seen.look.changed ? "content" : "nothing") : null),
    events,
    // Each call has its own.
    pending: last?.pending ?? null,
    receipt: null,
  };
}

/** What the calls changed, where the last one did not look. */
function changes(perform: Perform, bench: Bench): Promise<Performed<Fields>> {
  return perform<Fields>({
    tool: "batch",
    deadline: "action",
    opens: false,
    signal: bench.signal,
    plan: async ({ tabs }) => ({
      verb: "look",
      view: tabs.active,
      look: "change",
      act: async (permit) => {
        permit.take();
        return {};
      },
    }),
  });
}
