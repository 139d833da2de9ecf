import { z } from "zod";
import type { Kind } from "./kinds.ts";

const LONGEST_TEXT_CHARACTERS = 4096;
const SHAPE = /^http:\/\/(?:[^\s\\/?#@]*@)?(?:\[[0-9a-f:.]+\]|[^\s\\/?#@:[\]]+):(\d{1,5})\/?$/i;
const MOST_PORT = 65_535;

/** Where a proxy listens, and what it is told of who asks. */
export interface UpstreamPlace {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** The whole value of Proxy-Authorization. */
  readonly authorization?: string;
}

/** `http://[user:password@]host:port`, user and password percent-encoded; null for everything else. */
export function parseUpstream(text: string): UpstreamPlace | null {
  const port = Number(SHAPE.exec(text)?.[1] ?? 0);
  if (port < 1 || port > MOST_PORT || text.length > LONGEST_TEXT_CHARACTERS || !URL.canParse(text)) return null;
  const url = new URL(text);
  const place = { host: url.hostname.replace(/^\[|\]$/g, ""), port };
  if (place.host === "" || !/^[\x21-\x7e]+$/.test(place.host)) return null;
  if (url.username === "" && url.password === "") return place;
  const credentials = decoded(url.username, url.password);
  return credentials === null
    ? null
    : { ...place, authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** RFC 7617: no colon in the name, no control characters at all. */
function decoded(username: string, password: string): string | null {
  try {
    const name = decodeURIComponent(username);
    const credentials = `${name}:${decodeURIComponent(password)}`;
    return name.includes(":") || /\p{Cc}/u.test(credentials) ? null : credentials;
  } catch {
    return null;
  }
}

/** The operator's proxy. Its address may hold a password. */
export const upstream: Kind<string> = {
  schema: z
    .string()
    .max(LONGEST_TEXT_CHARACTERS)
    .refine((text) => parseUpstream(text) !== null),
  expects:
    "the address of an HTTP proxy with its port, http://[user:password@]host:port, user and password percent-encoded",
  list: false,
  path: false,
  secret: true,
  fromText: (text) => text,
};
