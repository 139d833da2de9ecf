/** The least of a protocol client, for tests of this room alone. */
import type { Launched } from "./launch.ts";

export interface Protocol {
  send(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>;
}

export function protocolOf({ toBrowser, fromBrowser }: Launched): Protocol {
  let lastId = 0;
  let pending = "";
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  fromBrowser.setEncoding("utf8").on("data", (text: string) => {
    const parts = (pending + text).split("\0");
    pending = parts.pop() ?? "";
    for (const part of parts) {
      const message: Record<string, unknown> = JSON.parse(part);
      waiting.get(Number(message.id))?.(message);
    }
  });
  return {
    send(method, params = {}, sessionId) {
      lastId += 1;
      toBrowser.write(`${JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) })}\0`);
      return new Promise((resolve, reject) => {
        waiting.set(lastId, (message) => {
          if ("error" in message) reject(new Error(JSON.stringify(message.error)));
          else resolve(Object(message.result));
        });
      });
    },
  };
}

export async function openPage(protocol: Protocol, browserContextId?: unknown): Promise<string> {
  const { targetId } = await protocol.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await protocol.send("Target.attachToTarget", { targetId, flatten: true });
  return String(sessionId);
}
