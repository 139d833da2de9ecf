import { describe, expect, test } from "vitest";
import { parseJson } from "./json.ts";
import { type BodyParts, textOf } from "./parts.ts";
import { polledOf } from "./polling.ts";

const text = (body: string): BodyParts => ({
  kind: "text",
  fields: [],
  files: [],
  text: body,
  bytes: body.length,
  digest: "d",
  whole: true,
});
const NONE: BodyParts = { kind: "none", fields: [], files: [], text: "", bytes: 0, digest: null, whole: true };

function read(url: string, body: string, type = "text/plain"): readonly string[] | null {
  const { pathname, searchParams } = new URL(url, "https://app.test");
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const query = [...searchParams].map(([name, value]) => ({ name, value }));
  const parts = body === "" ? NONE : text(textOf(new TextEncoder().encode(body)) ?? "");
  return (
    polledOf({ segments, query, parts, json: type === "application/json" ? parseJson(body) : null })?.events ?? null
  );
}

const IO = "/socket.io/?EIO=4&transport=polling&sid=x";
const HUB = "/chathub?id=x";

describe("what a polling transport carries", () => {
  test.each<readonly [why: string, url: string, body: string, events: readonly string[] | null]>([
    ["Engine.IO: ping", IO, "2", []],
    ["Engine.IO: probe", IO, "2probe", []],
    ["Engine.IO: two packets", IO, '3\x1e42["typing",{"room":1}]', ["typing"]],
    ["Engine.IO 3 counts its packets", IO, '1:226:42["delete item",{"id":1}]', ["delete item"]],
    ["Socket.IO: joins", IO, "40", []],
    ["Socket.IO: joins a namespace", IO, "40/admin,", []],
    ["Socket.IO: joins and says something", IO, '40{"token":"x"}', ["connect"]],
    ["Socket.IO: an event that wants an answer", IO, '42/admin,17["ban",5]', ["ban"]],
    ["Socket.IO: an event without a name", IO, "42[5]", null],
    ["Engine.IO: a plain message", IO, "4hello", ["message"]],
    ["no packet", IO, "hello", null],
    ["a count that does not fit", IO, "9:2", null],
    ["another transport", "/socket.io/?EIO=4&transport=websocket", "2", null],
    ["SockJS: listens", "/echo/123/abc/xhr_streaming", "", []],
    ["SockJS: listens with something in it", "/echo/123/abc/xhr", "x", null],
    ["SockJS: sends", "/echo/123/abc/xhr_send", '["{\\"op\\":1}"]', ["message"]],
    [
      "SockJS: STOMP",
      "/echo/123/abc/xhr_send",
      '["SEND\\ndestination:/app/orders.cancel\\n\\n{}"]',
      ["/app/orders.cancel"],
    ],
    ["SockJS: STOMP listens", "/echo/123/abc/xhr_send", '["SUBSCRIBE\\nid:0\\n\\n"]', []],
    ["SignalR: greets", HUB, '{"protocol":"json","version":1}\x1e', []],
    ["SignalR: ping", HUB, '{"type":6}\x1e', []],
    ["SignalR: calls", HUB, '{"type":6}\x1e{"type":1,"target":"SendMessage","arguments":["x"]}\x1e', ["SendMessage"]],
    ["SignalR: a ping that says more", HUB, '{"type":6,"text":"x"}\x1e', ["message"]],
    ["SignalR: without its connection", "/chathub", '{"type":6}\x1e', null],
  ])("%s", (_why, url, body, events) => expect(read(url, body)).toEqual(events));

  test.each<readonly [why: string, body: string, events: readonly string[] | null]>([
    ["waits", '[{"channel":"/meta/connect","clientId":"x","connectionType":"long-polling","id":"5"}]', []],
    ["waits and says more", '[{"channel":"/meta/connect","clientId":"x","data":{"a":1}}]', ["/meta/connect"]],
    [
      "publishes",
      '[{"channel":"/meta/connect","clientId":"x"},{"channel":"/chat/send","data":{"text":"x"},"clientId":"x"}]',
      ["/chat/send"],
    ],
    ["is somebody's JSON", '{"channel":"news"}', null],
  ])("Bayeux %s", (_why, body, events) => expect(read("/cometd", body, "application/json")).toEqual(events));
});
