/** Names and values in turn, as they came. */
export type RawHeaders = readonly string[];

/** They speak of one connection, not of the message (RFC 9110, 7.6.1). Framing is made anew on the other side. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);
const CONNECTION_OPTIONS: ReadonlySet<string> = new Set(["keep-alive", "close"]);

export function valuesOf(headers: RawHeaders, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.toLowerCase() === name) values.push(headers[at + 1] ?? "");
  return values;
}

/** All headers but those of the connection and of proxies. */
export function endToEnd(headers: RawHeaders): string[] {
  const kept: string[] = [];
  const nominated = new Set(valuesOf(headers, "connection").flatMap(listOf));
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? "";
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || lower.startsWith("proxy-") || (nominated.has(lower) && lower !== "content-length"))
      continue;
    kept.push(name, headers[at + 1] ?? "");
  }
  return kept;
}

/** Why a browser would never send such a request; null when it might. */
export function oddRequest(headers: RawHeaders, authority: string): "host" | "connection" | "framing" | null {
  const hosts = valuesOf(headers, "host");
  if (hosts.length !== 1 || hosts[0] !== authority) return "host";
  // Naming others there would take them out on the way.
  if (
    !valuesOf(headers, "connection")
      .flatMap(listOf)
      .every((option) => CONNECTION_OPTIONS.has(option))
  )
    return "connection";
  if (valuesOf(headers, "upgrade").length > 0) return "connection";
  const encodings = valuesOf(headers, "transfer-encoding");
  const lengths = valuesOf(headers, "content-length");
  if (encodings.length + lengths.length > 1 || encodings.some((value) => value.toLowerCase() !== "chunked"))
    return "framing";
  return lengths.some((value) => !/^\d{1,15}$/.test(value)) ? "framing" : null;
}

export function hasBody(headers: RawHeaders): boolean {
  return (
    valuesOf(headers, "transfer-encoding").length > 0 ||
    valuesOf(headers, "content-length").some((value) => Number(value) > 0)
  );
}

function listOf(value: string): string[] {
  return value.split(",").map((part) => part.trim().toLowerCase());
}
