/** Questions to somebody who can say yes: their words, what binds an answer to them, the way to the answer. */
export { callbackApprover } from "./callback.ts";
export { isCode, newCode } from "./code.ts";
export { commandApprover, parseCommandLine } from "./command.ts";
export { questionDigest, type RequestIdentity, requestDigest } from "./digest.ts";
export { type Asked, differingLines, type EffectAsked, effectQuestion } from "./question.ts";
export { type Answered, createQueue, type Ending, type Pending, type Queue, type QueueOptions } from "./queue.ts";
export { type ReachAsked, reachQuestion, type Way } from "./reach-question.ts";
export type { AskedRequest, ValueSource } from "./request-facts.ts";
export { processTerminal, type TerminalOptions, terminalApprover } from "./terminal.ts";
export { type SetTimer, setTimer } from "./timer.ts";
