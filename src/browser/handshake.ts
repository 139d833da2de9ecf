import type { Readable, Writable } from "node:stream";

/** Ids of the messages that this room sends itself; every other user of the pipe keeps below. */
export const VERSION_MESSAGE_ID = 2_000_000_001;
export const CLOSE_MESSAGE_ID = 2_000_000_002;

const NUL = 0;

export function sendBrowserCommand(toBrowser: Writable, id: number, method: string): void {
  if (toBrowser.writable) toBrowser.write(`${JSON.stringify({ id, method })}\0`);
}

/**
 * Asks the browser for its version, to know that it is up, and reads nothing but the answer: all other bytes stay in
 * `fromBrowser`. Resolves to for example "Chrome/156.0.1.2". Rejects when the pipe ends first or the answer makes no
 * sense; never times out by itself.
 */
export function askVersion(toBrowser: Writable, fromBrowser: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let pending = Buffer.alloc(0);
    const settle = (outcome: string | Error) => {
      fromBrowser.off("readable", read).off("end", ended).off("close", ended);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const ended = () => settle(new Error("the pipe ended"));
    const read = () => {
      for (let chunk = fromBrowser.read(); chunk !== null; chunk = fromBrowser.read())
        pending = Buffer.concat([pending, chunk]);
      for (let start = 0, end = pending.indexOf(NUL); end !== -1; start = end + 1, end = pending.indexOf(NUL, start)) {
        const version = versionIn(pending.subarray(start, end).toString("utf8"));
        if (version === null) continue;
        const others = Buffer.concat([pending.subarray(0, start), pending.subarray(end + 1)]);
        if (others.length > 0) fromBrowser.unshift(others);
        settle(version);
        return;
      }
    };
    fromBrowser.on("readable", read).on("end", ended).on("close", ended);
    sendBrowserCommand(toBrowser, VERSION_MESSAGE_ID, "Browser.getVersion");
  });
}

/** The version when this message is the answer, null when it is another one. */
function versionIn(text: string): string | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(message) || message.id !== VERSION_MESSAGE_ID || !isObject(message.result)) return null;
  const product = message.result.product;
  return typeof product === "string" ? product : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
