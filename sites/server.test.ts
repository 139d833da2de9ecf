import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Visitor } from "../test/visitor.ts";
import { type Sites, startSites } from "./server.mjs";

const MAX_BODY_BYTES = 65_536;

let sites: Sites;

beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());
beforeEach(() => {
  for (const site of [sites.backOffice, sites.shop, sites.partner]) site.reset();
});

test("three origins, each with its start page and the shared style sheet", async () => {
  const all = [sites.backOffice, sites.shop, sites.partner];
  expect(new Set(all.map((site) => site.url)).size).toBe(3);
  for (const site of all) {
    const visitor = new Visitor(site.url);
    expect([200, 302]).toContain((await visitor.get("/")).status);
    expect((await visitor.get("/style.css")).headers.get("content-type")).toBe("text/css; charset=utf-8");
  }
});

test("unknown paths are 404, known ones with another method 405 with what is allowed", async () => {
  const visitor = new Visitor(sites.backOffice.url);
  for (const path of [
    "/nothing",
    "/orders/",
    "/orders/CMD-1042/status/x",
    "/%",
    "/orders/%E0%A4%A",
    "//evil.test/login",
  ]) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
  }
  const answer = await visitor.get("/login", "PUT");
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST"]);
  expect((await visitor.get("/orders/CMD-1042/status")).status).toBe(405);
});

test("HEAD answers as GET does, without a body", async () => {
  const answer = await new Visitor(sites.shop.url).get("/delivery", "HEAD");
  expect([answer.status, answer.text]).toEqual([200, ""]);
  expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(100);
});

test("a body at the limit is read, one byte more is 413, and so is one that does not say its size", async () => {
  const visitor = new Visitor(sites.backOffice.url);
  const overhead = "user=&password=".length;
  const fitting = { user: "a".repeat(MAX_BODY_BYTES - overhead), password: "" };
  expect((await visitor.post("/login", fitting)).status).toBe(403);
  expect((await visitor.post("/login", { ...fitting, password: "b" })).status).toBe(413);
  expect(sites.backOffice.requests.map((request) => request.body.length)).toEqual([MAX_BODY_BYTES, 0]);
  expect(
    await firstLine(
      sites.backOffice.url,
      `POST /login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${(MAX_BODY_BYTES + 1).toString(16)}\r\n${"a".repeat(MAX_BODY_BYTES + 1)}`,
    ),
  ).toBe("HTTP/1.1 413 Payload Too Large");
});

test("an address that is none is 400", async () => {
  expect(
    await firstLine(sites.backOffice.url, "GET nonsense HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
  ).toMatch(/ 400 /);
});

test("what arrives is recorded, and forgotten by a reset", async () => {
  const visitor = new Visitor(sites.backOffice.url);
  await visitor.post("/login?a=1", { user: "ada" });
  await visitor.get("/__effects");
  expect(sites.backOffice.requests).toMatchObject([
    {
      method: "POST",
      path: "/login?a=1",
      body: "user=ada",
      headers: { "content-type": expect.stringContaining("urlencoded") },
    },
  ]);
  sites.backOffice.reset();
  expect(sites.backOffice.requests).toEqual([]);
});

test("counters stay the same object after a reset and count on", async () => {
  const { effects } = sites.partner;
  const visitor = new Visitor(sites.partner.url);
  await visitor.get("/api/ping");
  sites.partner.reset();
  expect(effects.pings).toBe(0);
  await visitor.get("/api/ping");
  await visitor.get("/api/directions", "POST");
  expect(effects).toEqual({ pings: 1, directions: 1 });
});

test("the partner's ping may be read by every origin, its page links back to the shop", async () => {
  const visitor = new Visitor(sites.partner.url);
  expect((await visitor.get("/api/ping")).headers.get("access-control-allow-origin")).toBe("*");
  const preflight = await visitor.get("/api/ping", "OPTIONS");
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  expect((await visitor.get("/")).text).toContain(`<a href="${sites.shop.url}/">Back to the shop</a>`);
  expect((await visitor.get("/map")).text).toContain("Show directions");
});

test("a port can be chosen; a taken one is an error and leaves nothing listening", async () => {
  const port = Number(new URL(sites.shop.url).port);
  await expect(startSites({ ports: { shop: port } })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("run as a program it prints the addresses it serves", async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./server.mjs", import.meta.url))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [printed] = await once(child.stdout, "data");
    const addresses = String(printed).match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [];
    expect(addresses).toHaveLength(3);
    expect((await fetch(`${addresses[0]}/login`)).status).toBe(200);
  } finally {
    child.kill();
  }
});

/** What the server answers first to these very bytes. */
async function firstLine(origin: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  try {
    socket.write(bytes);
    const [data] = await once(socket, "data");
    return String(data).split("\r\n")[0] ?? "";
  } finally {
    socket.destroy();
  }
}
