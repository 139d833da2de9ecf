import { connect, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { recordingServer } from "../../test/servers.ts";
import { captured } from "./client-hello.fixture.ts";
import { Doors } from "./doors.ts";
import { PROXY_LIMITS } from "./limits.ts";
import type { Door } from "./options.ts";
import { ask, RawClient, testedProxy } from "./proxy.fixture.ts";

const MAY: Readonly<Record<Door, readonly string[]>> = { requests: ["http2", "http1"], sockets: ["http1", "plain"] };

describe.each(["requests", "sockets"] as const)("the door for %s", (door) => {
  test.each(captured.map(({ name, hello, base64 }) => [name, hello, base64] as const))(
    "%s",
    async (_, hello, base64) => {
      await using server = await recordingServer();
      await using proxy = await testedProxy({ allowTunnel: () => true });
      using client = new RawClient(door === "requests" ? proxy.port : proxy.socketPort);
      client.say(`CONNECT a.test:${server.port} HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
      client.say(Buffer.from(base64, "base64"));
      const opens = MAY[door].includes(hello);
      if (opens) await expect.poll(() => server.connections.total).toBe(1);
      else await client.ended;
      expect(proxy.rules()).toEqual(opens ? [] : ["proxy.tunnel_kind"]);
      expect(server.connections.total).toBe(opens ? 1 : 0);
      expect(proxy.events[0]).toMatchObject({ door });
    },
  );

  test("plain requests", async () => {
    await using server = await recordingServer();
    await using proxy = await testedProxy();
    const heard = await ask(
      door === "requests" ? proxy.port : proxy.socketPort,
      `GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\nConnection: close\r\n\r\n`,
    );
    expect(heard).toContain(door === "requests" ? " 404 " : " 502 ");
    expect([server.hits.length, proxy.rules()]).toEqual(door === "requests" ? [1, []] : [0, ["proxy.way"]]);
  });

  test("leads not to either of the two", async () => {
    await using proxy = await testedProxy();
    for (const port of [proxy.port, proxy.socketPort]) {
      const text = `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
      expect(await ask(door === "requests" ? proxy.port : proxy.socketPort, text)).toContain(" 502 ");
    }
    expect(new Set(proxy.rules())).toEqual(new Set(["proxy.own_port"]));
  });
});

test("where no port can be had nothing listens", async () => {
  const handlers = {
    accept: () => {},
    request: () => Promise.resolve(),
    connect: () => Promise.resolve(),
    malformed: () => {},
  };
  const doors = new Doors(PROXY_LIMITS, handlers);
  await expect(doors.open("192.0.2.1")).rejects.toThrow();
  expect([doors.portOf("requests"), doors.portOf("sockets")]).toEqual([0, 0]);
});

test("both are closed in the end", async () => {
  const proxy = await testedProxy();
  const ports = [proxy.port, proxy.socketPort];
  await proxy.close();
  for (const port of ports) {
    const refused = new Promise((resolve) => connect(port, "127.0.0.1").once("error", () => resolve(true)));
    expect(await refused).toBe(true);
    // A port that was let go can be had again.
    const next = createServer().listen(port, "127.0.0.1");
    await new Promise((resolve) => next.once("listening", resolve));
    await new Promise((resolve) => next.close(resolve));
  }
});
