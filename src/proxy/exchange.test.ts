import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { recordingServer } from "../../test/servers.ts";
import { ask, RawClient, testedProxy } from "./proxy.fixture.ts";

const get = (host: string, path = "/", more = "") =>
  `GET http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

/** A server that answers every connection's first bytes with this text, then does with it what it is told. */
async function sayingServer(
  says: string,
  then: (socket: Socket) => void = () => undefined,
): Promise<AsyncDisposable & { port: number; connections: () => number }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => socket.write(says, "latin1", () => then(socket)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("plain requests", () => {
  test("headers of the connection and of proxies stay behind, all others go through as they came", async () => {
    await using server = await recordingServer();
    server.on("/", (request, response) => {
      response.writeHead(200, [
        "Set-Cookie",
        "a=1",
        "Set-Cookie",
        "b=2",
        "Connection",
        "close, X-Own",
        "X-Own",
        "1",
        "Proxy-Authenticate",
        "Basic",
        "X-Kept",
        "yes",
      ]);
      response.end(request.rawHeaders.join(","));
    });
    await using proxy = await testedProxy();
    using client = new RawClient(proxy.port);
    const host = `a.test:${server.port}`;
    client.say(
      get(
        host,
        "/",
        "Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic x\r\nTE: trailers\r\nKeep-Alive: 5\r\nX-Twice: 1\r\nx-twice: 2\r\nCookie: c=1\r\n",
      ),
    );
    const heard = await client.hear("Connection,keep-alive");
    expect(heard).toContain(`Host,${host},X-Twice,1,x-twice,2,Cookie,c=1,Connection,keep-alive`);
    expect(heard).toContain("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n");
    expect(heard).toContain("X-Kept: yes");
    expect(heard).not.toMatch(/X-Own|Proxy-/i);
  });

  test("bodies are streams in both directions, of known and unknown length", async () => {
    await using server = await recordingServer();
    let answer: ServerResponse | undefined;
    server.on("/known", (_request, response) => response.writeHead(200, { "content-length": "6" }).end("answer"));
    server.on("/unknown", (_request, response) => {
      answer = response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
    });
    await using proxy = await testedProxy();
    const host = `a.test:${server.port}`;
    using client = new RawClient(proxy.port);
    client.say(`POST http://${host}/known HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 8\r\n\r\nfirst`);
    await expect.poll(() => server.hits[0]?.body).toBe("first");
    client.say("end");
    await client.hear("answer");
    client.forget();
    client.say(
      `POST http://${host}/unknown HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    );
    await expect.poll(() => server.hits[1]?.body).toBe("abc");
    client.say("0\r\n\r\n");
    await client.hear("text/event-stream");
    answer?.write("data: 1");
    await client.hear("data: 1");
    answer?.write("data: 2");
    await client.hear("data: 2");
    answer?.end();
    await client.hear("\r\n0\r\n\r\n");
    expect(server.hits.map((hit) => [hit.headers["content-length"], hit.headers["transfer-encoding"]])).toEqual([
      ["8", undefined],
      [undefined, "chunked"],
    ]);
    expect(server.connections.total).toBe(1);
    expect(
      proxy.events.filter((event) => event.verdict === "closed").map((event) => [event.bytesUp, event.bytesDown]),
    ).toEqual([
      [8, 6],
      [3, 14],
    ]);
  });

  test("a huge answer to a slow reader waits instead of filling memory, and all of it arrives", async () => {
    const size = 30_000_000;
    await using server = await recordingServer();
    server.on("/", (_request, response) =>
      response.writeHead(200, { "content-length": String(size) }).end(Buffer.alloc(size)),
    );
    await using proxy = await testedProxy();
    using client = new RawClient(proxy.port);
    let received = 0;
    client.socket.removeAllListeners("data").on("data", (chunk) => {
      received += chunk.length;
    });
    client.socket.pause();
    client.say(get(`a.test:${server.port}`, "/", "Connection: close\r\n"));
    await server.waitForHit("/");
    client.socket.resume();
    await client.ended;
    expect(received).toBeGreaterThanOrEqual(size);
    expect(received).toBeLessThan(size + 1_000);
  });

  test("HEAD and 304 have no body", async () => {
    await using server = await recordingServer();
    server.on("/", (request, response) =>
      response.writeHead(request.method === "HEAD" ? 200 : 304, { etag: "x", "content-length": "5" }).end(),
    );
    await using proxy = await testedProxy();
    using client = new RawClient(proxy.port);
    const host = `a.test:${server.port}`;
    client.say(get(host).replace("GET", "HEAD"));
    await client.hear("content-length: 5\r\n");
    client.say(get(host));
    await client.hear("HTTP/1.1 304 Not Modified");
  });

  test.each([
    ["an answer cut before its length", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"],
    ["an answer cut in its chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"],
    ["a server that ends without a word", ""],
    ["an answer that is no HTTP", "SSH-2.0-OpenSSH\r\n"],
    ["an answer of two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"],
    [
      "an upgrade that nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
    ],
    ["an answer with a head without end", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(300_000)}`],
  ])("%s breaks the browser's connection", async (_name, says) => {
    await using server = await sayingServer(says, (socket) => socket.end());
    await using proxy = await testedProxy();
    const heard = await ask(proxy.port, get(`a.test:${server.port}`));
    expect(heard).not.toMatch(/\r\n0\r\n\r\n$|content-length: 3\r/i);
    expect(heard).not.toContain("101");
    await expect.poll(() => proxy.events.map((event) => event.verdict)).toEqual(["open", "closed"]);
  });

  test("hints before the answer are not passed on", async () => {
    await using server = await sayingServer(
      "HTTP/1.1 103 Early Hints\r\nLink: <http://evil.test/>; rel=preconnect\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    );
    await using proxy = await testedProxy();
    using client = new RawClient(proxy.port);
    client.say(get(`a.test:${server.port}`));
    expect(await client.hear("ok")).not.toMatch(/103|evil/);
  });

  test("bytes after an answer reach no later request", async () => {
    await using server = await sayingServer(
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npoisoned",
    );
    await using proxy = await testedProxy();
    using client = new RawClient(proxy.port);
    client.say(get(`a.test:${server.port}`));
    await client.hear("\r\n\r\nok");
    client.say(get(`a.test:${server.port}`));
    await expect
      .poll(() => server.connections() === 2 || client.socket.readableEnded || client.socket.destroyed)
      .toBe(true);
    expect(client.text).not.toContain("poisoned");
  });

  test.each(["prefetch", "prefetch;prerender", "prefetch;anonymous-client-ip", "other"])(
    "Sec-Purpose: %s is refused",
    async (purpose) => {
      await using server = await recordingServer();
      await using proxy = await testedProxy();
      expect(await ask(proxy.port, get(`a.test:${server.port}`, "/", `Sec-Purpose: ${purpose}\r\n`))).toContain(
        " 502 ",
      );
      expect(proxy.rules()).toEqual(["proxy.prefetch"]);
      expect(server.connections.total).toBe(0);
    },
  );

  test("a browser that leaves takes its request along", async () => {
    await using server = await recordingServer(() => undefined);
    await using proxy = await testedProxy();
    const client = new RawClient(proxy.port);
    client.say(get(`a.test:${server.port}`, "/slow"));
    await server.waitForHit("/slow");
    client.socket.destroy();
    await expect.poll(() => proxy.events.map((event) => event.verdict)).toEqual(["open", "closed"]);
    await expect.poll(() => proxy.connections()).toBe(0);
  });

  test("a connection that serves another place gets a new one there", async () => {
    await using one = await recordingServer();
    await using two = await recordingServer();
    await using proxy = await testedProxy();
    using client = new RawClient(proxy.port);
    for (const server of [one, two, one]) {
      client.forget();
      client.say(get(`a.test:${server.port}`));
      await client.hear("not found");
    }
    expect([one.connections.total, two.connections.total]).toEqual([2, 1]);
    expect([one.hits.length, two.hits.length]).toEqual([2, 1]);
  });
});

describe("tunnels", () => {
  const connectTo = (port: number) => `CONNECT a.test:${port} HTTP/1.1\r\nHost: a.test:${port}\r\n\r\n`;

  test.each([false, true])("carry bytes both ways, also after one side has ended (looked into: %s)", async (sniffs) => {
    await using server = await sayingServer("hello ", (socket) => {
      socket.on("data", (bytes) => socket.write(bytes));
      socket.on("end", () => socket.end("bye"));
    });
    await using proxy = await testedProxy(sniffs ? { allowTunnel: () => true } : {});
    using client = new RawClient(sniffs ? proxy.socketPort : proxy.port);
    client.say(`${connectTo(server.port)}GET early`);
    await client.hear("hello ");
    client.say("echo");
    await client.hear("echo");
    client.socket.end();
    await client.hear("bye");
    await expect
      .poll(() => proxy.events.at(-1))
      .toMatchObject({ verdict: "closed", bytesUp: 13, bytesDown: 13, ...(sniffs && { kind: "ws" }) });
  });

  test("nothing is connected to before the first bytes are allowed", async () => {
    await using server = await sayingServer("hello");
    const asked: unknown[] = [];
    await using proxy = await testedProxy({
      allowTunnel: (...all) => {
        asked.push(all);
        return false;
      },
    });
    using client = new RawClient(proxy.socketPort);
    client.say(connectTo(server.port));
    await client.hear("200");
    expect(asked).toEqual([]);
    client.say("GET ");
    await client.ended;
    expect(client.text).toBe("HTTP/1.1 200 Connection established\r\n\r\n");
    expect(asked).toEqual([["a.test", server.port, "ws"]]);
    expect(server.connections()).toBe(0);
    expect(proxy.rules()).toEqual(["proxy.tunnel_kind"]);
  });

  test("are held until somebody has answered; a client that leaves meanwhile connects to nothing", async () => {
    await using server = await sayingServer("hello");
    const answers: ((allowed: boolean) => void)[] = [];
    await using proxy = await testedProxy({ allowTunnel: () => new Promise((resolve) => answers.push(resolve)) });
    using patient = new RawClient(proxy.socketPort);
    patient.say(`${connectTo(server.port)}GET `);
    await expect.poll(() => answers.length).toBe(1);
    using hasty = new RawClient(proxy.socketPort);
    hasty.say(`${connectTo(server.port)}GET `);
    await expect.poll(() => answers.length).toBe(2);
    hasty.socket.resetAndDestroy();
    await expect.poll(() => proxy.connections()).toBe(1);
    expect(server.connections()).toBe(0);
    for (const answer of answers) answer(true);
    await patient.hear("hello");
    expect(server.connections()).toBe(1);
  });

  test("can be cut, those to other places stay", async () => {
    await using one = await sayingServer("one");
    await using two = await sayingServer("two");
    await using proxy = await testedProxy();
    using first = new RawClient(proxy.socketPort);
    using second = new RawClient(proxy.socketPort);
    first.say(`${connectTo(one.port)}x`);
    second.say(`${connectTo(two.port)}x`);
    await Promise.all([first.hear("one"), second.hear("two")]);
    proxy.cut("a.test", one.port);
    await first.ended;
    expect(proxy.connections()).toBe(1);
    expect(second.socket.destroyed || second.socket.readableEnded).toBe(false);
  });

  test("a server that cannot be reached is 502, or an end when 200 was said already", async () => {
    await using gone = await sayingServer("");
    const { port } = gone;
    await gone[Symbol.asyncDispose]();
    await using plain = await testedProxy();
    expect(await ask(plain.port, connectTo(port))).toMatch(/^HTTP\/1\.1 502 /);
    await using looking = await testedProxy({ allowTunnel: () => true });
    expect(await ask(looking.socketPort, `${connectTo(port)}GET `)).toBe("HTTP/1.1 200 Connection established\r\n\r\n");
    expect([...plain.rules(), ...looking.rules()]).toEqual(["proxy.connect", "proxy.connect"]);
  });
});
