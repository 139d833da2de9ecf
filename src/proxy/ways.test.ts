import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WAY_OPEN_MS, Ways } from "./ways.ts";

function clocked() {
  const clock = { now: 1_000 };
  return { clock, ways: new Ways(() => clock.now) };
}

describe("ways", () => {
  test("nothing is open at first, and only what was opened is", () => {
    const { ways } = clocked();
    expect(ways.isOpen("a.test", 80, "/")).toBe(false);
    ways.open("http://a.test/");
    expect(ways.isOpen("a.test", 80, "/")).toBe(true);
    expect(ways.isOpen("a.test", 81, "/")).toBe(false);
    expect(ways.isOpen("b.a.test", 80, "/")).toBe(false);
    expect(ways.isOpen("a.test", 80, null)).toBe(false);
    expect(ways.isOpen("a.test", 443, null)).toBe(false);
  });

  test.each([
    ["https://a.test/", 443, ["https"]],
    ["wss://a.test/", 443, ["wss"]],
    ["ws://a.test/", 80, ["ws"]],
    ["http://a.test/", 80, []],
  ])("%s opens tunnels of its own kind only", (address, port, kinds) => {
    const { ways } = clocked();
    ways.open(address);
    const allowed = (["https", "wss", "ws"] as const).filter((kind) => ways.allowsTunnel("a.test", port, kind));
    expect(allowed).toEqual(kinds);
    expect(ways.isOpen("a.test", port, null)).toBe(kinds.length > 0);
  });

  test.each([
    ["http://A.test./", "a.test", 80],
    ["http://127.1/", "127.0.0.1", 80],
    ["http://[::1]:81/", "::1", 81],
    ["http://ä.test/", "xn--4ca.test", 80],
  ])("%s is known as %s", (address, host, port) => {
    const { ways } = clocked();
    ways.open(address);
    expect(ways.isOpen(host, port, "/")).toBe(true);
  });

  test.each([
    ["http://a.test/x?a=1&b=%20#there", "/x?a=1&b=%20", ["/x", "/x?a=1", "/", "/x?a=1&b= "]],
    ["http://a.test", "/", ["", "/x"]],
    ["http://a.test?x", "/?x", ["/", "?x"]],
    ["http://me:pw@a.test/@x", "/@x", ["/", "/x"]],
  ])("a plain request opens its own address only: %s is %s", (address, path, others) => {
    const { ways } = clocked();
    ways.open(address);
    expect(ways.isOpen("a.test", 80, path)).toBe(true);
    for (const other of others) expect(ways.isOpen("a.test", 80, other)).toBe(false);
  });

  test.each([
    "data:text/html,x",
    "blob:http://a.test/1",
    "about:blank",
    "file:///etc/passwd",
    "ftp://a.test/",
    "",
    "http://",
    "http://a b/",
  ])("%s opens nothing", (address) => {
    const { ways } = clocked();
    ways.open(address);
    expect(ways.isOpen("a.test", 80, "/")).toBe(false);
    expect(ways.isOpen("", 80, "/")).toBe(false);
  });

  test("a way closes some time after the last release", () => {
    const { clock, ways } = clocked();
    ways.open("https://a.test/1");
    clock.now += WAY_OPEN_MS - 1;
    expect(ways.isOpen("a.test", 443, null)).toBe(true);
    ways.open("https://a.test/2");
    clock.now += WAY_OPEN_MS - 1;
    expect(ways.isOpen("a.test", 443, null)).toBe(true);
    clock.now += 1;
    expect(ways.isOpen("a.test", 443, null)).toBe(false);
  });

  test("a shut way is closed at once, the others stay", () => {
    const { ways } = clocked();
    ways.open("wss://a.test/");
    ways.open("https://a.test/");
    ways.shut("wss://a.test/other");
    expect(ways.allowsTunnel("a.test", 443, "wss")).toBe(false);
    expect(ways.allowsTunnel("a.test", 443, "https")).toBe(true);
  });

  test("of very many the oldest are forgotten, the latest is there", () => {
    const { ways } = clocked();
    for (let index = 0; index < 40_000; index += 1) ways.open(`http://a${index}.test/`);
    expect(ways.isOpen("a0.test", 80, "/")).toBe(false);
    expect(ways.isOpen("a39999.test", 80, "/")).toBe(true);
  });

  test("whatever happens, a way is open only within its time after a release", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("open" as const), host: fc.constantFrom("a.test", "b.test") }),
      fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(WAY_OPEN_MS) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { clock, ways } = clocked();
        const released = new Map<string, number>();
        for (const one of steps) {
          if (one.kind === "wait") clock.now += one.ms;
          else {
            ways.open(`https://${one.host}/`);
            released.set(one.host, clock.now);
          }
          for (const host of ["a.test", "b.test", "c.test"]) {
            const at = released.get(host);
            if (ways.isOpen(host, 443, null) && (at === undefined || clock.now - at >= WAY_OPEN_MS)) return false;
            if (at === clock.now && one.kind === "open" && !ways.isOpen(host, 443, null)) return false;
          }
        }
        return true;
      }),
    );
  });
});
