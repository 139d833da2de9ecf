import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AddressClass, classifyAddress, classifyHost } from "./addresses.ts";

const PRIVATE_V4 = [
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["10.0.0.1", "private"],
  ["10.255.255.255", "private"],
  ["100.64.0.1", "shared"],
  ["100.127.255.255", "shared"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["169.254.1.1", "linkLocal"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.1", "reserved"],
  ["192.0.2.7", "documentation"],
  ["192.88.99.1", "translation"],
  ["192.168.0.1", "private"],
  ["198.18.0.1", "benchmarking"],
  ["198.19.255.255", "benchmarking"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.250", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
] as const;

const PRIVATE_V6 = [
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["100::1", "reserved"],
  ["2001:2::1", "reserved"],
  ["2001:10::1", "reserved"],
  ["2001:20::1", "reserved"],
  ["2001:1::1", "reserved"],
  ["2001:db8::1", "documentation"],
  ["3fff:fff::1", "documentation"],
  ["4000::1", "reserved"],
  ["5f00::1", "reserved"],
  ["64:ff9b:1::8.8.8.8", "translation"],
  ["64:ff9b:2::1", "reserved"],
  ["fc00::1", "private"],
  ["fdff::1", "private"],
  ["fe80::1", "linkLocal"],
  ["febf::1", "linkLocal"],
  ["fec0::1", "private"],
  ["feff::1", "private"],
  ["ff02::1", "multicast"],
] as const;

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.1",
  "192.0.3.1",
  "192.88.98.1",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "198.51.99.1",
  "203.0.112.1",
  "223.255.255.255",
  "2001:4860:4860::8888",
  "2606:4700:4700::1111",
  "2001:200::1",
  "2a00:1450:4001:81b::200e",
  "3ffe:ffff::1",
  "2002:808:808::1",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
] as const;

const METADATA = [
  "169.254.169.254",
  "100.100.100.200",
  "168.63.129.16",
  "169.254.170.2",
  "fd00:ec2::254",
  "fd20:ce::254",
  "::ffff:169.254.169.254",
  "::169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::a9fe:a9fe",
  "64:ff9b:1:a9fe:a9:fe00::",
  "64:ff9b:1:a9:fe:a9fe::",
  "64:ff9b:1:0:a9:fea9:fe00:0",
  "2002:a9fe:a9fe::1",
  "2001:0:0808:0808::5601:5601",
  "2001:0:a9fe:a9fe::1",
  "fe80::5efe:a9fe:a9fe",
  "::ffff:0:169.254.169.254",
] as const;

describe("classifyAddress", () => {
  test.each([...PRIVATE_V4, ...PRIVATE_V6])("%s is %s", (address, kind) =>
    expect(classifyAddress(address)).toMatchObject({ is: "private", kind }),
  );
  test.each(PUBLIC)("%s is public", (address) => expect(classifyAddress(address)).toEqual({ is: "public" }));
  test.each(METADATA)("%s is metadata", (address) => expect(classifyAddress(address)).toEqual({ is: "metadata" }));
  test.each([
    "",
    "127.1",
    "0177.0.0.1",
    "0x7f000001",
    "2130706433",
    "256.1.1.1",
    "1.2.3",
    "::1%lo",
    "fe80::1%eth0",
    "[::1",
    "1.2.3.4.5",
    "shop.test",
    "::g",
    " 8.8.8.8",
    "8.8.8.8 ",
  ])("%j is unparsable", (text) => expect(classifyAddress(text)).toEqual({ is: "unparsable" }));
  test.each([0, 3, 5, 15, 17])("%i bytes are unparsable", (length) =>
    expect(classifyAddress(new Uint8Array(length))).toEqual({ is: "unparsable" }),
  );
});

describe("classifyHost", () => {
  test.each(["localhost", "x.localhost", "a.b.localhost"])("%s is loopback", (host) =>
    expect(classifyHost(host)).toEqual({ is: "private", kind: "loopback", embedded: false }),
  );
  test.each(["metadata.google.internal", "metadata", "instance-data"])("%s is metadata", (host) =>
    expect(classifyHost(host)).toEqual({ is: "metadata" }),
  );
  test.each(["shop.test", "localhost.test", "notlocalhost", "a1.2.3.4.test"])("%s is a name", (host) =>
    expect(classifyHost(host)).toEqual({ is: "name" }),
  );
  test.each(["", "1.2.3", "[zz]", "a:b"])("%j is unparsable", (host) =>
    expect(classifyHost(host)).toEqual({ is: "unparsable" }),
  );
});

type Four = readonly [number, number, number, number];

const byte = fc.integer({ min: 0, max: 255 });
const privateV4: fc.Arbitrary<Four> = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);
const publicV4: fc.Arbitrary<Four> = fc
  .tuple(fc.integer({ min: 1, max: 223 }), byte, byte, byte)
  .filter(([a]) => ![10, 100, 127, 168, 169, 172, 192, 198, 203].includes(a));

/** Every form of EG-4 that carries an IPv4 address. */
const FORMS: Readonly<Record<string, (v4: Four) => readonly number[]>> = {
  mapped: (v4) => [...zeros(10), 0xff, 0xff, ...v4],
  siit: (v4) => [...zeros(8), 0xff, 0xff, 0, 0, ...v4],
  compatible: (v4) => [...zeros(12), ...v4],
  nat64: (v4) => [0, 0x64, 0xff, 0x9b, ...zeros(8), ...v4],
  nat64Local96: (v4) => [0, 0x64, 0xff, 0x9b, 0, 1, ...zeros(6), ...v4],
  nat64Local48: ([a, b, c, d]) => [0, 0x64, 0xff, 0x9b, 0, 1, a, b, 0, c, d, ...zeros(5)],
  sixToFour: (v4) => [0x20, 0x02, ...v4, ...zeros(9), 1],
  teredoClient: (v4) => [0x20, 0x01, 0, 0, 8, 8, 8, 8, 0, 0, 0, 0, ...v4.map((value) => value ^ 0xff)],
  teredoServer: (v4) => [0x20, 0x01, 0, 0, ...v4, 0, 0, 0, 0, 0xf7, 0xf7, 0xf7, 0xf7],
  isatap: (v4) => [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0x5e, 0xfe, ...v4],
  isatapUniversal: (v4) => [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 2, 0, 0x5e, 0xfe, ...v4],
};

function zeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0);
}

function isOpenPlace(found: AddressClass): boolean {
  return found.is === "public";
}

function written(bytes: readonly number[]): string {
  return Array.from({ length: 8 }, (_unused, group) =>
    (((bytes[group * 2] ?? 0) << 8) | (bytes[group * 2 + 1] ?? 0)).toString(16),
  ).join(":");
}

describe.each(Object.entries(FORMS))("embedded as %s", (_name, embed) => {
  test("a private IPv4 address is refused, as bytes and as text", () => {
    fc.assert(
      fc.property(privateV4, (v4) => {
        const bytes = embed(v4);
        expect(isOpenPlace(classifyAddress(Uint8Array.from(bytes)))).toBe(false);
        expect(classifyAddress(written(bytes))).toEqual(classifyAddress(Uint8Array.from(bytes)));
      }),
    );
  });
});

// A local NAT64 prefix belongs to one network: no public address has it.
describe.each(Object.entries(FORMS).filter(([name]) => !name.startsWith("nat64Local")))(
  "embedded as %s",
  (_name, embed) => {
    test("a public IPv4 address is allowed", () => {
      fc.assert(
        fc.property(publicV4, (v4) => void expect(isOpenPlace(classifyAddress(Uint8Array.from(embed(v4))))).toBe(true)),
      );
    });
  },
);

test("random public IPv4 addresses are allowed", () => {
  fc.assert(fc.property(publicV4, (v4) => void expect(classifyAddress(v4.join("."))).toEqual({ is: "public" })));
});

test("never throws", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.ipV6(), fc.uint8Array({ maxLength: 20 })),
      (input) => void classifyAddress(input),
    ),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (host) => void classifyHost(host)));
});
