import { once } from "node:events";
import { createServer } from "node:net";
import { connect as connectTls } from "node:tls";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { captured } from "./client-hello.fixture.ts";
import { helloOf } from "./client-hello.ts";

const bytesOf = (base64: string) => Buffer.from(base64, "base64");
const hellos = captured.filter(({ base64 }) => bytesOf(base64)[0] === 22);

/** The same handshake message in records of that size. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 0xff]), part);
  }
  return Buffer.concat(records);
}

/** What Node says first with these protocols. */
async function nodeHello(protocols: readonly string[] | undefined): Promise<Buffer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const client = connectTls({
    host: "127.0.0.1",
    port,
    rejectUnauthorized: false,
    ...(protocols && { ALPNProtocols: [...protocols] }),
  });
  client.on("error", () => undefined);
  const [socket] = await once(server, "connection");
  const [bytes] = await once(socket, "data");
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

describe("what goes through a tunnel", () => {
  test.each(captured)("$name is $hello, whole and with more behind it", ({ hello, base64 }) => {
    expect(helloOf(bytesOf(base64))).toBe(hello);
    expect(helloOf(Buffer.concat([bytesOf(base64), Buffer.from("more")]))).toBe(hello);
  });

  test.each(hellos)("$name is not judged before it is whole", ({ base64 }) => {
    const bytes = bytesOf(base64);
    for (let length = 0; length < bytes.length; length += 1)
      if (helloOf(bytes.subarray(0, length)) !== null) expect(length).toBe("whole");
  });

  test.each(hellos)("$name in many records is the same", ({ hello, base64 }) => {
    for (const size of [1, 7, 500]) expect(helloOf(inRecords(bytesOf(base64), size))).toBe(hello);
  });

  test.each([
    [["h2", "http/1.1"], "http2"],
    [["h2"], "http2"],
    [["http/1.1"], "http1"],
    [["http/1.0"], "other"],
    [["http/1.1", "x"], "other"],
    [["stun.turn"], "other"],
    [undefined, "other"],
  ] as const)("Node's hello with %s is %s", async (protocols, hello) =>
    expect(helloOf(await nodeHello(protocols))).toBe(hello),
  );

  test.each([
    ["", null],
    ["G", null],
    ["GET", null],
    ["GET ", "plain"],
    ["GET / HTTP/1.1", "plain"],
    ["POST / HTTP/1.1", "other"],
    ["SSH-2.0-x", "other"],
    ["\x80\x2e\x01\x00\x02", "other"],
    ["\x16", null],
    ["\x16\x04", "other"],
    ["\x16\x03\x01\x00\x00", "other"],
    ["\x16\x03\x01\xff\xff", "other"],
    ["\x16\x03\x01\x00\x05\x02\x00\x00\x01\x00", "other"],
    ["\x16\x03\x01\x00\x05\x01\xff\xff\xff\x00", "other"],
    ["\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", "other"],
  ])("%j is %s", (text, hello) => expect(helloOf(Buffer.from(text, "latin1"))).toBe(hello));

  test("whatever the bytes are there is an answer, and nothing is thrown", () => {
    const hello = bytesOf(hellos[0]?.base64 ?? "");
    fc.assert(
      fc.property(fc.nat(hello.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(hello);
        changed[at] = byte;
        return [null, "http2", "http1", "plain", "other"].includes(helloOf(changed));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        [null, "plain", "other"].includes(helloOf(Buffer.concat([Buffer.from([22, 3, 1]), bytes]))),
      ),
    );
  });
});
