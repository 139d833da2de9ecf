import { flattenJson, type Json, membersOf, parseJson } from "./json.ts";
import type { BodyField, BodyParts } from "./parts.ts";

/** What a request of a polling transport carries: a socket's messages, sent as the bodies of POSTs. */
export interface Polled {
  /** Names of what the application says; the transport's own packets have none. */
  readonly events: readonly string[];
  /** Their values. */
  readonly fields: readonly BodyField[];
}

export interface PollSource {
  /** Decoded, in order. */
  readonly segments: readonly string[];
  readonly query: readonly { readonly name: string; readonly value: string }[];
  readonly parts: BodyParts;
  /** Null where the body is not JSON by its content type. */
  readonly json: Json | null;
}

/** One packet: null is the transport's own. */
type Packet = { readonly event: string; readonly value: Json } | null;

/** Between packets of Engine.IO 4 and records of SignalR. */
const RECORD = "\x1e";
const UNNAMED = "message";
const MAX_PACKETS = 200;

/** Takes a body apart by the transport whose form it has. Null: of none, or not every packet was understood. */
export function polledOf(source: PollSource): Polled | null {
  const { query, segments, parts, json } = source;
  const packets =
    query.some(({ name, value }) => name === "transport" && value === "polling") && parts.kind === "text" && parts.whole
      ? engineIo(parts.text)
      : /^xhr(?:_streaming|_send)?$/.test(segments.at(-1) ?? "") && /^\d{3}$/.test(segments.at(-3) ?? "")
        ? sockJs(segments.at(-1) ?? "", parts)
        : parts.kind === "text" && parts.whole && parts.text.endsWith(RECORD) && query.some(({ name }) => name === "id")
          ? signalR(parts.text)
          : json !== null
            ? bayeux(json)
            : null;
  if (packets === null || packets.length === 0 || packets.length > MAX_PACKETS || packets.includes(undefined))
    return null;
  const said = packets.filter((packet) => packet !== null && packet !== undefined);
  const fields = said.map(({ value }) => flattenJson(value));
  if (fields.includes(null)) return null;
  return { events: said.map(({ event }) => event), fields: fields.flatMap((some) => some ?? []) };
}

type Packets = readonly (Packet | undefined)[] | null;

function engineIo(text: string): Packets {
  // Version 3 writes the length in front of each packet, version 4 a sign between two.
  return (/^\d+:/.test(text) ? counted(text) : text.split(RECORD))?.map(engineIoPacket) ?? null;
}

function counted(text: string): readonly string[] | null {
  const packets: string[] = [];
  let rest = text;
  while (rest !== "") {
    const length = /^(\d{1,7}):/.exec(rest);
    if (length === null || packets.length > MAX_PACKETS) return null;
    const from = length[0].length;
    const to = from + Number(length[1]);
    if (to > rest.length) return null;
    packets.push(rest.slice(from, to));
    rest = rest.slice(to);
  }
  return packets;
}

/** Close, ping, pong, upgrade and noop are the transport's own; a message is the application's, or one of Socket.IO. */
function engineIoPacket(packet: string): Packet | undefined {
  if (/^(?:[123](?:probe)?|[56])$/.test(packet)) return null;
  if (!packet.startsWith("4")) return undefined;
  const [, type, data] = /^4(?:([0-6])(?:\d+-)?(?:\/[^,]{0,200},)?\d{0,10})?((?:[[{"].*)?)$/s.exec(packet) ?? [];
  if (type === undefined || data === undefined)
    return { event: UNNAMED, value: { is: "string", text: packet.slice(1) } };
  // It joins or leaves without a word.
  if ((type === "0" || type === "1") && data === "") return null;
  const value = parseJson(data === "" ? "[]" : data);
  if (value === null) return undefined;
  if (type === "0") return { event: "connect", value };
  if (type === "3" && data === "[]") return null;
  if (type === "3" || type === "6") return { event: "acknowledge", value };
  const [name] = value.is === "array" ? value.items : [];
  return name?.is === "string" ? { event: name.text, value } : undefined;
}

/** `xhr` and `xhr_streaming` only listen. What is sent is a list of texts: often JSON, or frames of STOMP. */
function sockJs(last: string, parts: BodyParts): Packets {
  if (last !== "xhr_send") return parts.kind === "none" ? [null] : null;
  const list = parts.kind === "text" && parts.whole ? parseJson(parts.text) : null;
  if (list?.is !== "array") return null;
  return list.items.flatMap((item): readonly Packet[] => {
    if (item.is !== "string") return [{ event: UNNAMED, value: item }];
    if (!STOMP.test(item.text)) return [stompFrame(item.text)];
    // Frames end with NUL, and may come several in one text.
    return item.text.split("\0").flatMap((frame) => (frame.trim() === "" ? [] : [stompFrame(frame.trimStart())]));
  });
}

const STOMP = /^(CONNECT|STOMP|SUBSCRIBE|UNSUBSCRIBE|ACK|NACK|DISCONNECT|SEND|BEGIN|COMMIT|ABORT)\r?\n/;

const OWN_STOMP: ReadonlySet<string> = new Set([
  "CONNECT",
  "STOMP",
  "SUBSCRIBE",
  "UNSUBSCRIBE",
  "ACK",
  "NACK",
  "DISCONNECT",
]);

function stompFrame(text: string): Packet {
  if (text === "\n") return null;
  const command = STOMP.exec(text)?.[1];
  const value = { is: "string", text } as const;
  if (command === undefined) return { event: UNNAMED, value: parseJson(text) ?? value };
  if (command !== "SEND") return OWN_STOMP.has(command) ? null : { event: command.toLowerCase(), value };
  return { event: /^destination:(.{1,200})$/m.exec(text)?.[1]?.trim() ?? UNNAMED, value };
}

/** Types of SignalR's records that call a method of the server; 6 and 7 keep the connection and end it, 3 answers. */
const INVOCATIONS: ReadonlySet<string> = new Set(["1", "4"]);

function signalR(text: string): Packets {
  return text
    .split(RECORD)
    .slice(0, -1)
    .map((record): Packet | undefined => {
      const value = parseJson(record);
      const members = membersOf(value);
      if (value === null || members === null) return undefined;
      if (members.size === 2 && members.get("protocol")?.is === "string" && members.get("version")?.is === "word")
        return null;
      const type = members.get("type");
      if (type?.is !== "word") return undefined;
      if (type.text === "5")
        return members.size === 2 && members.has("invocationId") ? null : { event: UNNAMED, value };
      if (type.text === "6" || type.text === "7") return members.size === 1 ? null : { event: UNNAMED, value };
      const target = members.get("target");
      return INVOCATIONS.has(type.text) && target?.is === "string"
        ? { event: target.text, value }
        : { event: UNNAMED, value };
    });
}

const BAYEUX_OWN = /^\/meta\/(?:handshake|connect|subscribe|unsubscribe|disconnect)$/;
const BAYEUX_KEYS: ReadonlySet<string> = new Set(
  "channel clientId id subscription connectionType version minimumVersion supportedConnectionTypes advice".split(" "),
);

/** Every message names its channel; those of the transport begin with /meta. */
function bayeux(json: Json): Packets {
  const messages = json.is === "array" ? json.items : [json];
  const channels = messages.map((message) => membersOf(message)?.get("channel"));
  // Without a client of the transport it is anybody's JSON.
  if (!channels.every((channel) => channel?.is === "string" && channel.text.startsWith("/"))) return null;
  return messages.map((value, at): Packet | undefined => {
    const members = membersOf(value);
    const channel = channels[at];
    if (members === null || channel?.is !== "string") return undefined;
    const isOwn = BAYEUX_OWN.test(channel.text) && [...members.keys()].every((key) => BAYEUX_KEYS.has(key));
    return isOwn ? null : { event: channel.text, value };
  });
}
