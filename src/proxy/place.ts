/** A host and port that a client asked for. */
export interface Place {
  /** As the URL standard writes it: lower case, punycode, dotted decimal; no brackets, no dot at the end. */
  readonly host: string;
  /** 1 to 65,535. */
  readonly port: number;
}

/** The two forms in which a browser asks a proxy. */
export type RequestScheme = "http" | "connect";

const MAX_HOST_CHARACTERS = 255;
const MAX_LABEL_CHARACTERS = 63;
const MAX_PORT = 65_535;
const HTTP_PORT = 80;
const HOST_SHAPE = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_.-]+)$/;
const PORT_SHAPE = /^[1-9]\d{0,4}$/;
/** Visible ASCII but `#`: a browser escapes all else and keeps the fragment to itself. */
const PATH_SHAPE = /^[!"$-~]*$/;

/**
 * The target of CONNECT: `host:port`. Null for everything that a browser would not send, other spellings of a good host
 * included.
 */
export function connectTarget(target: string): Place | null {
  const colon = target.lastIndexOf(":");
  if (colon < 0) return null;
  const host = canonicalHost(target.slice(0, colon));
  const port = portOf(target.slice(colon + 1));
  return host === null || port === null ? null : { host, port };
}

export interface HttpTarget extends Place {
  /** What the one Host header must say. */
  readonly authority: string;
  /** Path and query as they came. */
  readonly path: string;
}

/** The target of a plain request: `http://host[:port]/path`. Null as in `connectTarget`. */
export function httpTarget(target: string): HttpTarget | null {
  const found = /^http:\/\/([^/?#\\@]+)(\/.*)?$/.exec(target);
  const [, authority = "", path = "/"] = found ?? [];
  if (found === null || !PATH_SHAPE.test(path)) return null;
  const withPort = /^(.*[^:\]]|\[[^\]]*\]):([^:\]]*)$/.exec(authority);
  const host = canonicalHost(withPort?.[1] ?? authority);
  const port = withPort === null ? HTTP_PORT : portOf(withPort[2] ?? "");
  // A browser leaves the default port out.
  if (host === null || port === null || (withPort !== null && port === HTTP_PORT)) return null;
  return { host, port, authority, path };
}

/** Host and port of an http, https, ws or wss address, in the same form; null for other addresses. */
export function placeOf(address: string): (Place & { readonly scheme: "http" | "https" | "ws" | "wss" }) | null {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== "http" && scheme !== "https" && scheme !== "ws" && scheme !== "wss") return null;
  const host = canonicalHost(url.hostname);
  const port = url.port === "" ? (scheme === "https" || scheme === "wss" ? 443 : HTTP_PORT) : portOf(url.port);
  return host === null || port === null ? null : { scheme, host, port };
}

/** Path and query of an http address, as a browser that was told that very address asks for them. */
export function pathOf(address: string): string {
  const [, path = ""] = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(address) ?? [];
  return path.startsWith("/") ? path : `/${path}`;
}

function canonicalHost(host: string): string | null {
  if (host.length > MAX_HOST_CHARACTERS || !HOST_SHAPE.test(host)) return null;
  try {
    if (new URL(`http://${host}/`).hostname !== host) return null;
  } catch {
    return null;
  }
  if (host.startsWith("[")) return host.slice(1, -1);
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  const labels = name.split(".");
  return labels.every((label) => label.length > 0 && label.length <= MAX_LABEL_CHARACTERS) ? name : null;
}

function portOf(text: string): number | null {
  const port = PORT_SHAPE.test(text) ? Number(text) : 0;
  return port >= 1 && port <= MAX_PORT ? port : null;
}
