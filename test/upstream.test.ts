import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OpenedSession } from "../src/assembly/open.ts";
import { openToolbox } from "../src/assembly/open.ts";
import { configFromObject } from "../src/config/index.ts";
import { selfSigned } from "../src/session/self-test/certificate.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

/** Never connected to: where it leads is what the upstream says. */
const PUBLIC = "93.184.216.34";
const PASSWORD = "pa5sw0rd-4711";

/** A proxy of an organisation: it knows all names, and they all lead to the one test server. */
interface Organisation {
  readonly port: number;
  /** Method and target of each request, in its order. */
  readonly asked: readonly string[];
  readonly authorizations: ReadonlySet<string | undefined>;
  /** Status for all that is asked; 0 lets it pass. */
  status: number;
  clear(): void;
  close(): Promise<void>;
}

let directory: string;
let web: RecordingServer;
let secure: { readonly port: number; close(): Promise<void>; readonly paths: string[] };
let organisation: Organisation;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-upstream-"));
  web = await recordingServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<title>Web</title><p>This is ${request.headers.host}${request.url}</p>`);
  });
  const certificate = selfSigned("shop.test");
  writeFileSync(join(directory, "ca.pem"), certificate.cert + certificate.key);
  const paths: string[] = [];
  const https = createHttpsServer(certificate, (request, response) => {
    paths.push(request.url ?? "");
    response.setHeader("content-type", "text/html");
    response.end("<p>This is secure</p>");
  });
  secure = { ...(await listening(https)), paths };
  organisation = await organisationsProxy();
});
afterAll(async () => {
  await web?.close();
  await secure?.close();
  await organisation?.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  web.clear();
  secure.paths.length = 0;
  organisation.clear();
  organisation.status = 0;
});

async function listening(server: Server): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      if (server.listening) await once(server, "close");
    },
  };
}

async function organisationsProxy(): Promise<Organisation> {
  const asked: string[] = [];
  const authorizations = new Set<string | undefined>();
  let status = 0;
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    authorizations.add(request.headers["proxy-authorization"]);
    if (status !== 0) {
      response.writeHead(status, { "proxy-authenticate": "Basic realm=x" }).end();
      return;
    }
    const { host, pathname } = new URL(request.url ?? "");
    const onward = httpRequest(
      { host: "127.0.0.1", port: web.port, method: request.method ?? "", path: pathname, headers: { host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  });
  server.on("connect", (request, client) => {
    asked.push(`CONNECT ${request.url}`);
    authorizations.add(request.headers["proxy-authorization"]);
    if (status !== 0) {
      client.end(`HTTP/1.1 ${status} No\r\nproxy-authenticate: Basic realm=x\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(secure.port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    for (const socket of [client, onward]) socket.on("error", () => socket.destroy());
    client.pipe(onward).pipe(client);
  });
  const { port, close } = await listening(server);
  return {
    port,
    asked,
    authorizations,
    get status() {
      return status;
    },
    set status(value) {
      status = value;
    },
    clear() {
      asked.length = 0;
      authorizations.clear();
    },
    close,
  };
}

let number = 0;
function opened(proxy: string): { readonly session: OpenedSession; readonly ledger: () => string } & AsyncDisposable {
  number += 1;
  const file = join(directory, `${number}.jsonl`);
  const { config } = configFromObject("library", {
    allow: ["shop.test", "inside.test", "mapped.test"],
    private: [web.url],
    hostMap: { "mapped.test": web.host },
    ledger: { file },
    browser: { proxy, ca: join(directory, "ca.pem") },
  });
  const session = openToolbox(config, {
    resolve: (host) => Promise.resolve([host === "inside.test" ? "10.0.0.1" : PUBLIC]),
    warn: () => {},
  });
  return { session, ledger: () => readFileSync(file, "utf8"), [Symbol.asyncDispose]: () => session.close() };
}

describe("a session behind the operator's proxy", () => {
  test("goes out there by name, and nowhere else; what is not public goes without it", async () => {
    await using here = opened(`http://ada:${PASSWORD}@127.0.0.1:${organisation.port}`);
    const { session } = here;
    const told: unknown[] = [];
    const go = async (url: string) => {
      const { envelope } = await session.call("navigate", { url });
      told.push(envelope);
      return envelope;
    };
    expect(await go("http://shop.test/plain")).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("This is shop.test/plain"),
    });
    expect(await go("https://shop.test/tls")).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("This is secure"),
    });
    expect(organisation.asked.filter((line) => !line.endsWith("/favicon.ico"))).toEqual([
      "GET http://shop.test/plain",
      "CONNECT shop.test:443",
    ]);
    expect([...organisation.authorizations]).toEqual([`Basic ${Buffer.from(`ada:${PASSWORD}`).toString("base64")}`]);
    expect(web.hitsTo("/plain")).toHaveLength(1);
    expect(secure.paths).toContain("/tls");

    organisation.clear();
    expect(await go(`${web.url}/private`)).toMatchObject({ ok: true });
    expect(await go("http://mapped.test/mapped")).toMatchObject({ ok: true });
    expect([web.hitsTo("/private").length, web.hitsTo("/mapped").length]).toEqual([1, 1]);
    expect(await go("http://inside.test/")).toMatchObject({ ok: false, refused: { rule: "reach.private" } });
    expect(await go("http://inside.test/again")).toMatchObject({ ok: false, refused: { rule: "reach.private" } });
    expect(organisation.asked).toEqual([]);
    const inside = here
      .ledger()
      .split("\n")
      .filter((line) => line.includes("http://inside.test/") && line.includes('"kind":"request"'));
    expect(inside).toHaveLength(2);
    for (const line of inside)
      expect(line).toMatch(/"verdict":"refuse".*"rule":"reach\.private"|"rule":"reach\.private".*"verdict":"refuse"/);
    told.push((await session.call("network_requests", {})).envelope, session.instructions, here.ledger());
    expect(JSON.stringify(told)).not.toContain(PASSWORD);
  });

  test.each([407, 502, 403])("that answers %i opens nothing, and the model reads why", async (status) => {
    await using here = opened(`http://127.0.0.1:${organisation.port}`);
    expect((await here.session.call("navigate", { url: "http://shop.test/before" })).envelope.ok).toBe(true);
    organisation.status = status;
    web.clear();
    const refused = {
      ok: false,
      refused: { rule: "reach.upstream", reason: expect.stringContaining("proxy that the operator set") },
    };
    expect((await here.session.call("navigate", { url: "https://shop.test/tls" })).envelope).toMatchObject(refused);
    if (status === 407)
      expect((await here.session.call("navigate", { url: "http://shop.test/plain" })).envelope).toMatchObject(refused);
    else
      expect(
        (await here.session.call("navigate", { url: "http://shop.test/plain" })).envelope.snapshot ?? "",
      ).not.toContain("This is");
    expect([web.hits.length, secure.paths.length]).toEqual([0, 0]);
  });

  test("that is down opens nothing, and the model reads why", async () => {
    const { port, close } = await listening(createHttpServer());
    await close();
    await using here = opened(`http://127.0.0.1:${port}`);
    for (const url of ["https://shop.test/tls", "http://shop.test/plain"]) {
      const { envelope } = await here.session.call("navigate", { url });
      expect(envelope).toMatchObject({
        ok: false,
        refused: { rule: "reach.upstream", remedy: expect.stringContaining("Tell the operator") },
      });
      expect(envelope).not.toHaveProperty("error");
    }
    expect((await here.session.call("navigate", { url: `${web.url}/private` })).envelope.ok).toBe(true);
    expect(secure.paths).toEqual([]);
    expect(web.hits.map(({ path }) => path).filter((path) => path !== "/favicon.ico")).toEqual(["/private"]);
  });
});
