import { describe, expect, test } from "vitest";
import type { Body } from "../../types.ts";
import { decideEffect } from "./decide.ts";
import { describeEffect } from "./describe.ts";
import type { EffectFacts } from "./facts.ts";
import { effectsPolicy } from "./policy.ts";
import { PLAIN_EFFECT, PLAIN_STATE } from "./rules.ts";

// What attacks in memory got through, and what ordinary applications were asked about: each row stands for its kind.

const sends = (contentType: string, text: string): Body => ({
  kind: "bytes",
  contentType,
  bytes: new TextEncoder().encode(text),
  digest: "0".repeat(64),
});
const form = (text: string): Body => sends("application/x-www-form-urlencoded", text);
const json = (value: unknown): Body => sends("application/json", JSON.stringify(value));
const plain = (text: string): Body => sends("text/plain;charset=UTF-8", text);
const none: Body = { kind: "none" };

function decided(method: string, path: string, body: Body, more: Partial<EffectFacts> = {}): string {
  const described = describeEffect({ ...PLAIN_EFFECT, method, url: `https://shop.test${path}`, body, ...more });
  const decision = decideEffect(effectsPolicy({}), described, PLAIN_STATE);
  return decision.is === "ask" || decision.is === "refuse"
    ? "asked"
    : decision.is === "none"
      ? "passes"
      : `passes by ${decision.rule}`;
}

describe("is asked about on a private site", () => {
  test.each<readonly [method: string, path: string, body: Body]>([
    ["POST", "/Users/List.aspx", form("__EVENTTARGET=ctl00$Main$grid$ctl02$btnDelete&__EVENTARGUMENT=&__VIEWSTATE=x")],
    ["POST", "/ViewUser.aspx?id=5", form("ctl00$Main$btnDelete=Delete user")],
    ["POST", "/list.xhtml", form("javax.faces.source=form:deleteBtn&javax.faces.ViewState=x")],
    ["POST", "/admin/users/list.php", form("delete=Delete&ids[]=5")],
    ["POST", "/user/view", form("btnDelete=Delete")],
    ["POST", "/users/list.php", form("user=5&role=admin")],
    ["POST", "/users/get-access", json({ role: "admin", isAdmin: true })],
    ["POST", "/giftcards/load", json({ cardNumber: "4111111111111111", amount: "500" })],
    ["POST", "/reports/export", json({ recipients: ["x@evil.test"] })],
    ["POST", "/api/events", json({ name: "Lunch with Bob", date: "2026-12-05", startTime: "12:00" })],
    ["POST", "/api/logs", json({ entry: "fired" })],
    ["POST", "/api/logs", json({ name: "I quit my job today", message: "quit" })],
    ["POST", "/api/visits", json({ date: "2026-12-05", type: "dental", user: "12" })],
    ["POST", "/users/list", json({ operationType: "remove", ids: [5] })],
    ["POST", "/api/search", json({ command_name: "DeleteUser", id: 5 })],
    ["POST", "/products/list", json({ deleted: [{ id: 5 }] })],
    ["POST", "/socket.io/?EIO=4&transport=polling&sid=x", plain('42["event",{"type":"kickUser","user":"12"}]')],
    [
      "POST",
      "/echo/123/abcdef/xhr_send",
      plain(JSON.stringify(["SUBSCRIBE\nid:0\n\n\0SEND\ndestination:/app/transfer\n\n{}\0"])),
    ],
    ["POST", "/disputes/12/resolve-dispute", none],
    ["POST", "/disputes/resolve", json({ id: "12", outcome: "buyer" })],
    ["POST", "/leads/12/convert-to-customer", none],
    ["POST", "/tickets/ABC-12/resolve", none],
    ["POST", "/wallet/convert", json({ from: "BTC", to: "USDT", amount: "500" })],
    ["POST", "/get-loan", json({ amount: "5000" })],
    ["POST", "/subscription/renew", form("csrf_token=x")],
    ["POST", "/domains/renew", none],
    ["POST", "/settings/api-tokens/refresh", none],
    ["REPORT", "/admin/delete_user.php?id=5", none],
    ["SEARCH", "/users/5/delete", none],
    ["QUERY", "/graphql", json({ query: "mutation { deleteAll }" })],
    ["POST", "/users/12/ban/xhr", none],
    ["PUT", "/posts/draft", json({ body: "x", scheduledAt: "2026-12-02", autoPublish: true })],
    ["POST", "/account/mfa", json({ enabled: false })],
    ["POST", "/reports/export", json({ to: "boss@evil.test", format: "pdf" })],
    ["POST", "/campaigns/3/preview", json({ to: "all@list.test" })],
  ])("%s %s", (method, path, body) => expect(decided(method, path, body)).toBe("asked"));

  test.each([
    "/delete_product.php?id=5",
    "/deletePhoto.php?id=12",
    "/DeleteCustomer.aspx?id=1",
    "/projects/12/delete-project",
    "/cancelBooking?id=12",
    "/approve-request/12",
    "/send-money?to=bob&amount=500",
    "/invoices/12/mark-as-paid",
    "/users/12/disable-2fa",
    "/users.php?promote=12",
  ])("GET %s", (path) =>
    expect(decided("GET", path, none, { kind: "navigation", resourceType: "Document" })).toBe("asked"),
  );
});

describe("passes on a private site", () => {
  test.each<readonly [method: string, path: string, body: Body]>([
    ["POST", "/Users/List.aspx", form("__EVENTTARGET=ctl00$Main$grid&__EVENTARGUMENT=Page$2&__VIEWSTATE=x")],
    ["POST", "/echo/123/abcdef/xhr_send", plain('["\\n"]')],
    ["POST", "/echo/123/abcdef/xhr_send", plain(JSON.stringify(["CONNECT\naccept-version:1.1\n\n\0"]))],
    ["POST", "/socket.io/?EIO=4&transport=polling&sid=x", plain("431[]")],
    [
      "POST",
      "/cometd/connect",
      json([{ channel: "/meta/connect", clientId: "x", connectionType: "long-polling", id: "5" }]),
    ],
    ["POST", "/chatHub/negotiate?negotiateVersion=1", none],
    ["POST", "/chatHub?id=x", plain('{"type":5,"invocationId":"1"}\x1e')],
    ["POST", "/api/getOrder", json({ id: 5 })],
    ["POST", "/api/get-report", json({ id: 5 })],
    ["POST", "/users/list", json({ filter: { role: "admin" }, page: 2 })],
    ["POST", "/auth/refresh", none],
    ["POST", "/api/poll", json({ cursor: 7, focused: true })],
    ["POST", "/log", plain('{"page":"/a","seconds":12}')],
    ["POST", "/api/events", json({ type: "pageview", url: "https://shop.test/a", timestamp: 17 })],
  ])("%s %s", (method, path, body) => expect(decided(method, path, body)).toMatch(/^passes/));

  test.each(["/api/autocomplete/complete?term=ab", "/list?delete=0", "/posts/how-to-delete-an-account-for-good"])(
    "GET %s",
    (path) => expect(decided("GET", path, none, { kind: "navigation", resourceType: "Document" })).toBe("passes"),
  );
});
