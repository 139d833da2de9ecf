import type { IncomingMessage } from "node:http";
import type { Refusal } from "./admit.ts";

const LARGEST_BODY_BYTES = 1_048_576;

/** The most that will be kept of a body that is still to come. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Math.min(Number(headers["content-length"] ?? LARGEST_BODY_BYTES), LARGEST_BODY_BYTES);
}

/** The one JSON object that a body is (MC-1). What is too large is not kept. Rejects when the connection breaks. */
export async function readJsonBody(request: IncomingMessage): Promise<{ readonly body: object } | Refusal> {
  if (Number(request.headers["content-length"] ?? 0) > LARGEST_BODY_BYTES) return tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  // Without this option leaving the loop would end the connection before there is an answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST_BODY_BYTES) return tooLarge;
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return { status: 400, reason: "The body is no JSON." };
  }
  if (Array.isArray(body)) return { status: 400, reason: "One message a request: batches are not taken." };
  return typeof body === "object" && body !== null ? { body } : { status: 400, reason: "The body is no message." };
}

const tooLarge: Refusal = { status: 413, reason: `The body is larger than ${LARGEST_BODY_BYTES} bytes.` };
