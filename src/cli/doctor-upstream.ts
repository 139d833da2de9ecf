import { request } from "node:http";
import type { UpstreamPlace } from "../config/index.ts";
import type { Check } from "./check.ts";

/** A name that cannot exist (RFC 6761): nothing is connected to, whatever the proxy does with it. */
const NOWHERE = "chaperone-doctor.invalid:443";
const WITHIN_MS = 5_000;
const PASSWORD_WANTED_STATUS = 407;

/** Whether the operator's proxy answers, and takes our password. Shows neither its address nor the password. */
export async function checkUpstream(upstream: UpstreamPlace, withinMs: number = WITHIN_MS): Promise<Check> {
  const status = await answerOf(upstream, withinMs);
  if (status === null)
    return bad(
      "does not answer as an HTTP proxy",
      "check host and port of --proxy (browser.proxy), and that the proxy runs; nothing is opened without it",
    );
  if (status === PASSWORD_WANTED_STATUS)
    return bad(
      "wants another user and password (407)",
      "set them in CHAPERONE_PROXY or browser.proxy: http://user:password@host:port",
    );
  return { name: "upstream", ok: true, says: "answers; it must refuse private networks itself", mend: null };
}

const bad = (says: string, mend: string): Check => ({ name: "upstream", ok: false, says, mend });

/** The status for a tunnel to nowhere; null when nothing that is HTTP came in time. */
function answerOf({ host, port, authorization }: UpstreamPlace, withinMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { host: NOWHERE, ...(authorization !== undefined && { "proxy-authorization": authorization }) };
    const asked = request({ host, port, method: "CONNECT", path: NOWHERE, headers, agent: false });
    const end = (status: number | null): void => {
      clearTimeout(deadline);
      resolve(status);
      asked.destroy();
    };
    const deadline = setTimeout(() => end(null), withinMs);
    asked.on("error", () => end(null));
    asked.on("response", ({ statusCode }) => end(statusCode ?? null));
    asked.on("connect", ({ statusCode }, socket) => {
      socket.destroy();
      end(statusCode ?? null);
    });
    asked.end();
  });
}
