import { CLIENT_CAPABILITIES_META_KEY, type InputRequiredResult, inputRequired, type Server, type ServerContext } from "@modelcontextprotocol/server";
import type { Approver, CallableSession, QuestionId, ToolResult } from "../types.ts";
import { answerIn, formOf, showsForms } from "./elicitation.ts";
import { HeldCall, type HeldCalls } from "./held.ts";

/** The key of the one question in an input-required result. */
const QUESTION = "question";
/** The session's own time runs out first and aborts the question. */
const LONGEST_QUESTION_MS = 86_400_000;

export interface Calling {
  readonly session: CallableSession;
  readonly held: HeldCalls;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** A call of a 2025 client: its question goes to the client while the call runs. */
export function callAsking(calling: Calling, server: Server, tool: string, args: unknown, context: ServerContext): Promise<ToolResult> {
  const { signal } = context.mcpReq;
  const approver = showsForms(server.getClientCapabilities()) ? { approver: askingApprover(calling, context) } : {};
  return calling.session.call(tool, args, { signal, ...approver });
}

function askingApprover({ now }: Calling, { mcpReq }: ServerContext): Approver {
  return {
    name: "elicitation",
    person: true,
    unsure: true,
    async ask(question, signal) {
      const at = now();
      try {
        // A call that the client has cancelled must not act on an answer that comes all the same.
        const options = { signal: AbortSignal.any([signal, mcpReq.signal]), timeout: LONGEST_QUESTION_MS, relatedRequestId: mcpReq.id };
        const response = await mcpReq.elicitInput(formOf(question), options);
        return answerIn(question, response, now() - at);
      } catch {
        return null;
      }
    },
  };
}

/** A call of a 2026-07-28 client: its question is the result of the request, and the client calls again with the answer. */
export async function callReturning(calling: Calling, tool: string, args: unknown, context: ServerContext): Promise<ToolResult | InputRequiredResult> {
  const { session, held } = calling;
  const { mcpReq } = context;
  const state = mcpReq.requestState<unknown>();
  let call: HeldCall;
  let answered: QuestionId | null = null;
  if (state === undefined) {
    const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
    if (!showsForms(envelope[CLIENT_CAPABILITIES_META_KEY])) return session.call(tool, args, { signal: mcpReq.signal });
    call = new HeldCall((options) => session.call(tool, args, options));
  } else {
    const resumed = typeof state === "string" ? await held.resume(state, tool, args, context) : null;
    if (resumed === null) return noSuchQuestion;
    const { question } = resumed.asked;
    const answer = answerIn(question, mcpReq.inputResponses?.[QUESTION], resumed.afterMs);
    if (answer !== null) answered = question.id;
    call = resumed.call;
    resumed.asked.answer(answer);
  }
  for (;;) {
    const next = await call.next(mcpReq.signal);
    if ("result" in next) {
      const approval = next.result.envelope.pending?.approval;
      if (approval === undefined || approval !== answered) return next.result;
      // The session had given up waiting for this answer when the person took longer; now it is there.
      answered = null;
      call.goOnWith((options) => session.call("wait_for", { approval }, options));
      continue;
    }
    const requestState = await held.sent(call, next.asked, tool, args);
    if (requestState !== null) return inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicit(formOf(next.asked.question)) }, requestState });
    next.asked.answer(null);
  }
}

const noSuchQuestion: ToolResult = {
  envelope: {
    ok: false,
    error: {
      code: "bad_arguments",
      message: "This answer belongs to no open question of this call. Nothing was done with it; look at the page before calling again.",
    },
  },
};
