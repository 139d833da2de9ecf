import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { checkUpstream } from "./doctor-upstream.ts";

const PASSWORD = "Basic cGE1c3cwcmQ=";
let close: () => void = () => undefined;
afterEach(() => close());

async function answering(answer: (socket: Socket, head: string) => void) {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (bytes) => {
      heard.push(bytes.toString("latin1"));
      answer(socket, bytes.toString("latin1"));
    });
  }).listen(0, "127.0.0.1");
  const sockets: Socket[] = [];
  server.on("connection", (socket) => void sockets.push(socket));
  await once(server, "listening");
  close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return {
    upstream: { host: "127.0.0.1", port: (server.address() as AddressInfo).port, authorization: PASSWORD },
    heard,
  };
}

const says = (text: string) => (socket: Socket) => void socket.end(text);

test.each<[string, (socket: Socket) => void, boolean, RegExp]>([
  ["knows no such name", says("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n"), true, /answers/],
  ["refuses it", says("HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n"), true, /answers/],
  ["says yes to everything", says("HTTP/1.1 200 OK\r\n\r\n"), true, /answers/],
  [
    "wants another password",
    says("HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm=x\r\ncontent-length: 0\r\n\r\n"),
    false,
    /407/,
  ],
  ["is no HTTP proxy", says("SSH-2.0-OpenSSH_9.2\r\n"), false, /does not answer/],
  ["hangs up", (socket) => void socket.destroy(), false, /does not answer/],
  ["says nothing", () => undefined, false, /does not answer/],
])("one that %s", async (_, answer, ok, words) => {
  const { upstream, heard } = await answering(answer);
  const check = await checkUpstream(upstream, 500);
  expect(check).toMatchObject({ name: "upstream", ok, says: expect.stringMatching(words) });
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatch(/^CONNECT \S+\.invalid:443 HTTP\/1\.1\r\n/);
  expect(heard[0]).toContain(PASSWORD);
  expect(JSON.stringify(check)).not.toContain("cGE1");
});

test("one that is not there", async () => {
  const { upstream } = await answering(() => undefined);
  close();
  expect(await checkUpstream(upstream, 2_000)).toMatchObject({ ok: false, mend: expect.stringContaining("--proxy") });
});
