import type { CallGuard, Waiting } from "../guard/index.ts";
import type { CallId } from "../types.ts";
import { type Line, Turn } from "./line.ts";
import type { Perform } from "./performed.ts";
import type { CallRunner } from "./run-call.ts";

export interface BatchOptions {
  readonly line: Line;
  readonly runner: CallRunner;
  readonly guard: Pick<CallGuard, "asks">;
  /** Refs that the model knew when it made the batch. */
  readonly knows: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Calls with no other between them, whose consequences are asked about together. Rejects with `Failure("cancelled")`
 * when it was given up in line.
 */
export async function runBatch<Result>(
  { line, runner, guard, knows, signal }: BatchOptions,
  work: (perform: Perform) => Promise<Result>,
): Promise<Result> {
  const turn = new Turn(line, signal);
  const batch: CallId[] = [];
  await turn.take();
  try {
    return await work((request) => runner.run(request, { turn: null, knows, batch }));
  } finally {
    try {
      await askAboutTheRest();
    } finally {
      turn.leave();
    }
  }

  /** A batch that ended early has left something to ask about. */
  async function askAboutTheRest(): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const next = (): Waiting | null => guard.asks(first);
    for (let waiting = next(); waiting !== null; waiting = next())
      if ((await runner.person(waiting, runner.patienceMs, signal)) === null) return;
  }
}
