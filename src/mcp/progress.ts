import type { ServerContext } from "@modelcontextprotocol/server";

/** Clients that reset their own deadline on progress keep a call that waits for a person. */
export const PROGRESS_EVERY_MS = 10_000;

/**
 * Tells the client, if it asked for that, that its call goes on, until `work` has ended. Says nothing of pages (MC-4).
 */
export async function withProgress<Result>(
  { mcpReq }: ServerContext,
  everyMs: number,
  work: Promise<Result>,
): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return work;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    // After the end of the request, or of the connection, there is nobody to tell.
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress } }).catch(() => {});
  }, everyMs);
  timer.unref();
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
