import type { IncomingMessage } from "node:http";

/** What counts of a request's head. */
export interface Head {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  /** All values of a header, by its lower-case name. */
  readonly values: (name: string) => readonly string[];
}

export function headOf({
  method = "",
  url = "",
  rawHeaders,
}: Pick<IncomingMessage, "method" | "url" | "rawHeaders">): Head {
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[index + 1] ?? ""]);
  }
  return { method, target: url, values: (name) => headers.get(name) ?? [] };
}

/**
 * True when the request came to this very host, and not from a page of another one: one Host, Origin, Sec-Fetch-Site,
 * in this order. `arriving`: the page that a person comes to from elsewhere; it holds nothing, and may be navigated to
 * from anywhere.
 */
export function comesFromHere(head: Head, port: number, arriving: boolean): boolean {
  const [host, ...moreHosts] = head.values("host");
  if (host === undefined || moreHosts.length > 0) return false;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return false;
  const origins = head.values("origin");
  if (head.method !== "GET" && origins.length === 0) return false;
  if (origins.length > 1 || origins.some((origin) => origin !== `http://${host}`)) return false;
  const sites = head.values("sec-fetch-site");
  if (sites.every((site) => site === "same-origin" || site === "none")) return true;
  return (
    arriving &&
    head.method === "GET" &&
    only(head, "sec-fetch-mode") === "navigate" &&
    only(head, "sec-fetch-dest") === "document"
  );
}

/** The values of all cookies of that name: a server on another port may have set one more. */
export function cookiesOf(head: Head, name: string): readonly string[] {
  return head
    .values("cookie")
    .flatMap((header) => header.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

export function isJson(head: Head): boolean {
  return (
    /^application\/json(?:; ?charset=utf-8)?$/i.test(only(head, "content-type") ?? "") &&
    head.values("content-encoding").length === 0
  );
}

/** The value of a header that is there exactly once. */
export function only(head: Head, name: string): string | null {
  const values = head.values(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}
