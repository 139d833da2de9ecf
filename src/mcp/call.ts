import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Answer, Approver, CallableSession, Question, QuestionId, ToolResult } from "../types.ts";
import { answerIn, formOf, showsForms } from "./elicitation.ts";
import { HeldCall, type HeldCalls, type Parked } from "./held.ts";

/** The key of the one question in an input-required result. */
const QUESTION = "question";
/** The session's own time runs out first and aborts the question. */
const LONGEST_QUESTION_MS = 86_400_000;

export interface Calling {
  readonly session: CallableSession;
  readonly held: HeldCalls;
  /** Of the client, where the revision tells one from another. */
  readonly parked: Parked;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/**
 * A call of a 2025 client: its question goes to the client while the call runs, and so do those that came since the
 * last one.
 */
export async function callAsking(
  { session, parked, now }: Calling,
  server: Server,
  tool: string,
  args: unknown,
  context: ServerContext,
): Promise<ToolResult> {
  const { mcpReq, http } = context;
  // Over HTTP a stream that breaks off is the only sign that a client is gone, and the SDK does not tell it here.
  const signal = AbortSignal.any([mcpReq.signal, ...(http?.req === undefined ? [] : [http.req.signal])]);
  if (!showsForms(server.getClientCapabilities())) return session.call(tool, args, { signal });
  let isOver = false;
  const elicit = async (question: Question, withdrawn: AbortSignal): Promise<Answer | null> => {
    const at = now();
    try {
      // A call that the client has cancelled must not act on an answer that comes all the same.
      const options = {
        signal: AbortSignal.any([withdrawn, signal]),
        timeout: LONGEST_QUESTION_MS,
        relatedRequestId: mcpReq.id,
      };
      return answerIn(question, await mcpReq.elicitInput(formOf(question), options), now() - at);
    } catch {
      return null;
    }
  };
  const approver: Approver = {
    name: "elicitation",
    person: true,
    unsure: true,
    ask: (question, withdrawn) => (isOver ? parked.ask(question, withdrawn) : elicit(question, withdrawn)),
  };
  for (const asked of parked.take()) void elicit(asked.question, signal).then(asked.answer);
  try {
    return await session.call(tool, args, { signal, approver });
  } finally {
    isOver = true;
  }
}

/**
 * A call of a 2026-07-28 client: its question is the result of the request, and the client calls again with the answer.
 */
export async function callReturning(
  calling: Calling,
  tool: string,
  args: unknown,
  context: ServerContext,
): Promise<ToolResult | InputRequiredResult> {
  const { session, held, parked } = calling;
  const { mcpReq } = context;
  const state = mcpReq.requestState<unknown>();
  let call: HeldCall;
  let answered: QuestionId | null = null;
  if (state === undefined) {
    const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
    if (!showsForms(envelope[CLIENT_CAPABILITIES_META_KEY])) return session.call(tool, args, { signal: mcpReq.signal });
    call = new HeldCall((options) => session.call(tool, args, options), parked);
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
    if (requestState !== null)
      return inputRequired({
        inputRequests: { [QUESTION]: inputRequired.elicit(formOf(next.asked.question)) },
        requestState,
      });
    next.asked.answer(null);
  }
}

const noSuchQuestion: ToolResult = {
  envelope: {
    ok: false,
    error: {
      code: "bad_arguments",
      message:
        "This answer belongs to no open question of this call. Nothing was done with it; look at the page before calling again.",
    },
  },
};
