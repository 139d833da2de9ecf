import type { AddressInfo } from "node:net";

const HTTP_PORT = 80;
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;
const ANY = new Set(["0.0.0.0", "::"]);

/** Whether that host is this machine's own loopback. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * What a Host header may say to a server that was told to listen on `asked`: that name and port, for loopback also
 * `localhost`. Listening on all addresses, the one that the connection came to (`local`), never a name that somebody
 * else chose.
 */
export function hostsOf(asked: string, { address, port }: AddressInfo, local: string | undefined): ReadonlySet<string> {
  const names = ANY.has(asked)
    ? ["localhost", ...(local === undefined ? [] : [local.replace(/^::ffff:/, "")])]
    : [asked, address];
  if (isLoopback(asked)) names.push("localhost");
  const shown = names.map((name) => (name.includes(":") ? `[${name}]` : name.toLowerCase()));
  return new Set(shown.flatMap((name) => (port === HTTP_PORT ? [name, `${name}:${port}`] : [`${name}:${port}`])));
}
