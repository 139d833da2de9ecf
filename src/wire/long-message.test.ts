import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LARGEST_MESSAGE_BYTES, type Message, pipeChannel } from "./channel.ts";
import { cutBytes, LongMessage } from "./long-message.ts";

const LONGEST = 12;
const MEGABYTE = 1_048_576;
const ONE_MEGABYTE = Buffer.alloc(MEGABYTE, "A");

function through(text: string, cuts: readonly number[]): string {
  const bytes = Buffer.from(text);
  const message = new LongMessage(LONGEST);
  let from = 0;
  for (const cut of cuts.map((at) => at % (bytes.length + 1)).sort((one, other) => one - other)) {
    message.take(bytes.subarray(from, cut));
    from = cut;
  }
  message.take(bytes.subarray(from));
  return message.text;
}

/** The same of the whole text. */
function shortened(json: string): string {
  return json.replace(/"((?:[^"\\]|\\.)*)"/gs, (string, inner: string) => {
    const length = Buffer.byteLength(inner);
    const padding = /={0,2}$/.exec(inner)?.[0].length ?? 0;
    return length > LONGEST ? `"cut ${length - padding}"` : string;
  });
}

describe("a message in pieces", () => {
  it("keeps all but its long strings, wherever it was cut", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.constantFrom("\\", "\\\\", '"', '\\"', `${"x".repeat(11)}\\`, '"'.repeat(9)),
    );
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.array(text), fc.dictionary(text, text));
    fc.assert(
      fc.property(value, fc.array(fc.nat({ max: 500 })), (given, cuts) => {
        const json = JSON.stringify(given);
        expect(through(json, cuts)).toBe(shortened(json));
      }),
    );
  });

  it("says how long a body was", () => {
    for (const size of [3_000, 3_001, 3_002]) {
      const body = Buffer.alloc(size, 7).toString("base64");
      const { bytes } = JSON.parse(through(JSON.stringify({ bytes: body }), [5, 700, body.length + 9])) as {
        bytes: string;
      };
      expect([cutBytes(bytes), cutBytes(body)]).toEqual([size, null]);
    }
  });
});

describe("the pipe", () => {
  async function received(
    pieces: Iterable<string | Buffer>,
  ): Promise<{ readonly messages: readonly Message[]; readonly closed: boolean }> {
    const from = new PassThrough();
    const channel = pipeChannel(new PassThrough(), from);
    const messages: Message[] = [];
    let closed = false;
    channel.onmessage = (message) => messages.push(message);
    channel.onclose = () => (closed = true);
    for (const piece of pieces)
      if (!closed && !from.write(piece)) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return { messages, closed };
  }

  function* held(megabytes: number): Iterable<string | Buffer> {
    yield '{"method":"Fetch.requestPaused","params":{"requestId":"r1","request":{"method":"POST","postData":"';
    for (let each = 0; each < megabytes; each++) yield ONE_MEGABYTE;
    yield '","postDataEntries":[{"bytes":"QUJD"}]}}}\0{"method":"next"}\0';
  }

  it("takes a held request whose body is long without its text, and goes on", async () => {
    const { messages, closed } = await received(held(100));
    expect(closed).toBe(false);
    expect(messages).toEqual([
      {
        method: "Fetch.requestPaused",
        params: {
          requestId: "r1",
          request: { method: "POST", postData: `cut ${100 * MEGABYTE}`, postDataEntries: [{ bytes: "QUJD" }] },
        },
      },
      { method: "next" },
    ]);
  });

  it("takes a picture whole, and ends with what could not be read", async () => {
    const picture = "A".repeat(20 * MEGABYTE);
    const { messages } = await received(['{"id":1,"result":{"data":"', picture, '"}}\0']);
    expect(messages).toEqual([{ id: 1, result: { data: picture } }]);
    const endless = (function* (): Iterable<string | Buffer> {
      yield '{"method":"Runtime.consoleAPICalled","params":{"text":"';
      for (let each = 0; each <= LARGEST_MESSAGE_BYTES / MEGABYTE; each++) yield ONE_MEGABYTE;
    })();
    expect(await received(endless)).toEqual({ messages: [], closed: true });
  });
});
