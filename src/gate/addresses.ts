import ipaddr from "ipaddr.js";

/** Why an address is not a public place. */
export type PrivateKind =
  | "unspecified"
  | "loopback"
  | "private" // RFC 1918, unique local, site-local
  | "shared" // carrier-grade NAT
  | "linkLocal"
  | "multicast"
  | "documentation"
  | "benchmarking"
  | "translation" // relays and local NAT64 prefixes
  | "reserved"; // protocol assignments, future use, all that is not global unicast

export type AddressClass =
  | { readonly is: "public" }
  /** `embedded`: the private address is inside another form of address (mapped, NAT64, 6to4 …). */
  | { readonly is: "private"; readonly kind: PrivateKind; readonly embedded: boolean }
  /** A cloud's metadata service: never reachable, whatever is opened. */
  | { readonly is: "metadata" }
  | { readonly is: "unparsable" };

/** A host is an address that can be judged now, or a name whose addresses are judged where it is resolved. */
export type HostClass = AddressClass | { readonly is: "name" };

interface Range {
  readonly prefix: readonly number[];
  readonly bits: number;
  readonly kind: PrivateKind;
}

const V4_BYTES = 4;
const V6_BYTES = 16;

const PUBLIC: AddressClass = { is: "public" };
const METADATA: AddressClass = { is: "metadata" };
const UNPARSABLE: AddressClass = { is: "unparsable" };

const V4_RANGES: readonly Range[] = (
  [
    ["0.0.0.0", 8, "unspecified"],
    ["10.0.0.0", 8, "private"],
    ["100.64.0.0", 10, "shared"],
    ["127.0.0.0", 8, "loopback"],
    ["169.254.0.0", 16, "linkLocal"],
    ["172.16.0.0", 12, "private"],
    ["192.0.0.0", 24, "reserved"],
    ["192.0.2.0", 24, "documentation"],
    ["192.88.99.0", 24, "translation"],
    ["192.168.0.0", 16, "private"],
    ["198.18.0.0", 15, "benchmarking"],
    ["198.51.100.0", 24, "documentation"],
    ["203.0.113.0", 24, "documentation"],
    ["224.0.0.0", 4, "multicast"],
    ["240.0.0.0", 4, "reserved"],
  ] as const
).map(toRange);

const V6_RANGES: readonly Range[] = (
  [
    ["::", 128, "unspecified"],
    ["::1", 128, "loopback"],
    ["64:ff9b:1::", 48, "translation"],
    ["100::", 64, "reserved"],
    ["2001::", 23, "reserved"],
    ["2001:db8::", 32, "documentation"],
    ["3fff::", 20, "documentation"],
    ["fc00::", 7, "private"],
    ["fe80::", 10, "linkLocal"],
    ["fec0::", 10, "private"],
    ["ff00::", 8, "multicast"],
  ] as const
).map(toRange);

/**
 * All addresses that are given out for global unicast. What lies outside is refused unless it embeds a public IPv4
 * address.
 */
const GLOBAL_UNICAST: Range = { prefix: bytesOf("2000::"), bits: 3, kind: "reserved" };

const METADATA_ADDRESSES: ReadonlySet<string> = new Set(
  [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "169.254.42.42",
    "169.254.0.23",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fd00:42::42",
    "fe80::a9fe:a9fe",
  ].map((address) => bytesOf(address).join(".")),
);

const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.goog",
  "metadata.google.internal",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "instance-data",
  "instance-data.ec2.internal",
]);

/**
 * What an address is, decided on its 4 or 16 bytes (EG-4). Takes a literal (dotted decimal or IPv6, brackets allowed,
 * no zone, no short or octal forms: those are for `canonicalUrl`) or the bytes. Anything else is `unparsable`, which
 * callers refuse. Never throws.
 */
export function classifyAddress(address: string | Uint8Array): AddressClass {
  const bytes = typeof address === "string" ? parseLiteral(address) : [...address];
  if (bytes === null) return UNPARSABLE;
  if (bytes.length === V4_BYTES) return classifyV4(bytes);
  if (bytes.length === V6_BYTES) return classifyV6(bytes);
  return UNPARSABLE;
}

/**
 * What a canonical host (of `canonicalUrl`) is. `localhost` and names under it are loopback by definition (RFC 6761).
 */
export function classifyHost(host: string): HostClass {
  if (host === "") return UNPARSABLE;
  if (isLocalhostName(host)) return { is: "private", kind: "loopback", embedded: false };
  if (METADATA_NAMES.has(host)) return METADATA;
  return isAddressLiteral(host) ? classifyAddress(host) : { is: "name" };
}

export function isLocalhostName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/**
 * Whether a canonical host is written as an address. By form, not by validity: a broken literal must not pass as a
 * name.
 */
export function isAddressLiteral(host: string): boolean {
  return host.startsWith("[") || host.includes(":") || /^[\d.]+$/.test(host);
}

function classifyV4(bytes: readonly number[]): AddressClass {
  if (METADATA_ADDRESSES.has(bytes.join("."))) return METADATA;
  const range = V4_RANGES.find((candidate) => inRange(bytes, candidate));
  return range === undefined ? PUBLIC : { is: "private", kind: range.kind, embedded: false };
}

function classifyV6(bytes: readonly number[]): AddressClass {
  if (METADATA_ADDRESSES.has(bytes.join("."))) return METADATA;
  const embedded = embeddedV4(bytes).map(classifyV4);
  if (embedded.some((found) => found.is === "metadata")) return METADATA;
  const range = V6_RANGES.find((candidate) => inRange(bytes, candidate));
  const isTeredo = bytes[0] === 0x20 && bytes[1] === 0x01 && bytes[2] === 0 && bytes[3] === 0;
  if (range !== undefined && !isTeredo) return { is: "private", kind: range.kind, embedded: false };
  for (const found of embedded) if (found.is === "private") return { ...found, embedded: true };
  if (embedded.length > 0 || inRange(bytes, GLOBAL_UNICAST)) return PUBLIC;
  return { is: "private", kind: "reserved", embedded: false };
}

/** Every IPv4 address that an IPv6 address may carry to a translator, tunnel or the host's own stack. */
function embeddedV4(bytes: readonly number[]): readonly (readonly number[])[] {
  const at = (...positions: readonly number[]): readonly number[] => positions.map((position) => bytes[position] ?? 0);
  const starts = (...prefix: readonly number[]): boolean => prefix.every((byte, index) => bytes[index] === byte);
  const last = at(12, 13, 14, 15);
  const found: (readonly number[])[] = [];
  const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);
  // :: and ::1 are IPv6 addresses of their own.
  const isOwn = bytes.slice(0, 15).every((byte) => byte === 0) && (bytes[15] ?? 0) <= 1;
  if (starts(...zeros(10), 0xff, 0xff)) found.push(last); // mapped
  if (starts(...zeros(8), 0xff, 0xff, 0, 0)) found.push(last); // SIIT
  if (starts(...zeros(12)) && !isOwn) found.push(last); // compatible
  if (starts(0x00, 0x64, 0xff, 0x9b, ...zeros(8))) found.push(last); // NAT64, well-known prefix
  // NAT64, local prefix: its length is the operator's choice, so every layout of RFC 6052 is read.
  if (starts(0x00, 0x64, 0xff, 0x9b, 0x00, 0x01))
    found.push(at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12), last);
  if (starts(0x20, 0x02)) found.push(at(2, 3, 4, 5)); // 6to4
  if (starts(0x20, 0x01, 0x00, 0x00))
    found.push(
      at(4, 5, 6, 7),
      last.map((byte) => byte ^ 0xff),
    ); // Teredo: server and client
  // ISATAP's mark in the interface part, with the universal bit either way.
  if (((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe) found.push(last);
  return found;
}

function parseLiteral(text: string): readonly number[] | null {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  try {
    if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare).toByteArray();
    // A zone names an interface of this machine: never a public place.
    if (bare.includes(":") && !bare.includes("%")) return ipaddr.IPv6.parse(bare).toByteArray();
  } catch {
    return null;
  }
  return null;
}

function bytesOf(literal: string): readonly number[] {
  const bytes = parseLiteral(literal);
  if (bytes === null) throw new Error(`not an address: ${literal}`);
  return bytes;
}

function toRange([address, bits, kind]: readonly [string, number, PrivateKind]): Range {
  return { prefix: bytesOf(address), bits, kind };
}

function inRange(bytes: readonly number[], range: Range): boolean {
  for (let bit = 0; bit < range.bits; bit += 8) {
    const left = range.bits - bit;
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    const index = bit / 8;
    if (((bytes[index] ?? 0) & mask) !== ((range.prefix[index] ?? 0) & mask)) return false;
  }
  return true;
}
