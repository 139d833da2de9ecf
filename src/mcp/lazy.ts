import { Failure } from "../errors.ts";
import type { CallableSession, ErrorCode, ToolDescription, ToolResult } from "../types.ts";

/** What is known of a session before it is opened, and how to open it. */
export interface SessionOffer {
  readonly tools: readonly ToolDescription[];
  readonly instructions: string;
  /** Called at the first call, and again at the next one after it failed. */
  openSession(): CallableSession | Promise<CallableSession>;
}

const failed = (code: ErrorCode, message: string): ToolResult => ({
  envelope: { ok: false, error: { code, message } },
});

/**
 * A session that opens at its first call: clients start processes that only list the tools and go. Its `call` never
 * rejects, whatever the session does.
 */
export function lazySession(offer: SessionOffer, log: (line: string) => void): CallableSession {
  let opening: Promise<CallableSession> | null = null;
  let closed = false;

  const open = async (): Promise<CallableSession> => {
    opening ??= Promise.resolve().then(() => offer.openSession());
    const mine = opening;
    try {
      return await mine;
    } catch (error) {
      if (opening === mine) opening = null;
      throw error;
    }
  };

  return {
    tools: offer.tools,
    instructions: offer.instructions,
    async call(tool, args, options) {
      if (closed) return failed("cancelled", "The session has ended.");
      let session: CallableSession;
      try {
        session = await open();
      } catch (error) {
        log(`the session could not be opened: ${error instanceof Error ? error.message : String(error)}`);
        if (Failure.is(error)) return failed(error.code, error.message);
        return failed(
          "no_browser",
          "The browser session could not be opened; the server's log says why. The next call tries again.",
        );
      }
      try {
        return await session.call(tool, args, options);
      } catch (error) {
        log(`a call of ${tool} broke: ${error instanceof Error ? error.message : String(error)}`);
        return failed(
          "page_ended",
          "The call broke inside the server, and what it did is not known. Look at the page before trying again.",
        );
      }
    },
    async close() {
      closed = true;
      const session = await opening?.catch(() => null);
      await session?.close();
    },
  };
}
