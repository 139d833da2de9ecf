import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WAY_LINGER_MS, WAY_OPEN_MS, Ways } from "./ways.ts";

function clocked() {
  const clock = { now: 1_000 };
  return { clock, ways: new Ways(() => clock.now) };
}

describe("ways", () => {
  test("nothing is open at first, and only what was opened is", () => {
    const { ways } = clocked();
    expect(ways.isOpen("a.test", 80, "http")).toBe(false);
    ways.open("http://a.test/path?query");
    expect(ways.isOpen("a.test", 80, "http")).toBe(true);
    expect(ways.isOpen("a.test", 81, "http")).toBe(false);
    expect(ways.isOpen("b.a.test", 80, "http")).toBe(false);
    expect(ways.isOpen("a.test", 80, "connect")).toBe(false);
    expect(ways.isOpen("a.test", 443, "connect")).toBe(false);
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
    expect(ways.isOpen("a.test", port, "connect")).toBe(kinds.length > 0);
  });

  test.each([
    ["http://A.test./", "a.test", 80],
    ["http://127.1/", "127.0.0.1", 80],
    ["http://[::1]:81/", "::1", 81],
    ["http://ä.test/", "xn--4ca.test", 80],
  ])("%s is known as %s", (address, host, port) => {
    const { ways } = clocked();
    ways.open(address);
    expect(ways.isOpen(host, port, "http")).toBe(true);
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
    ways.open(address)();
    expect(ways.isOpen("a.test", 80, "http")).toBe(false);
    expect(ways.isOpen("", 80, "http")).toBe(false);
  });

  test("a way closes some time after the last release, or sooner after the last known end", () => {
    const { clock, ways } = clocked();
    const first = ways.open("http://a.test/1");
    const second = ways.open("http://a.test/2");
    first();
    first();
    clock.now += WAY_LINGER_MS + 1;
    expect(ways.isOpen("a.test", 80, "http")).toBe(true);
    second();
    clock.now += WAY_LINGER_MS - 1;
    expect(ways.isOpen("a.test", 80, "http")).toBe(true);
    clock.now += 1;
    expect(ways.isOpen("a.test", 80, "http")).toBe(false);
    ways.open("http://a.test/3");
    clock.now += WAY_OPEN_MS - 1;
    expect(ways.isOpen("a.test", 80, "http")).toBe(true);
    clock.now += 1;
    expect(ways.isOpen("a.test", 80, "http")).toBe(false);
  });

  test("a shut way is closed at once, the others stay", () => {
    const { ways } = clocked();
    const ended = ways.open("wss://a.test/");
    ways.open("https://a.test/");
    ways.shut("wss://a.test/other");
    ended();
    expect(ways.allowsTunnel("a.test", 443, "wss")).toBe(false);
    expect(ways.allowsTunnel("a.test", 443, "https")).toBe(true);
  });

  test("of very many the oldest are forgotten, the latest is there", () => {
    const { ways } = clocked();
    for (let index = 0; index < 10_000; index += 1) ways.open(`http://a${index}.test/`);
    expect(ways.isOpen("a0.test", 80, "http")).toBe(false);
    expect(ways.isOpen("a9999.test", 80, "http")).toBe(true);
  });

  test("whatever happens, a way is open only within its time after a release", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("open" as const), host: fc.constantFrom("a.test", "b.test") }),
      fc.record({ kind: fc.constant("end" as const), index: fc.nat(20) }),
      fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(WAY_OPEN_MS) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { clock, ways } = clocked();
        const released = new Map<string, number>();
        const ends: (() => void)[] = [];
        for (const one of steps) {
          if (one.kind === "wait") clock.now += one.ms;
          else if (one.kind === "end") ends[one.index]?.();
          else {
            ends.push(ways.open(`https://${one.host}/`));
            released.set(one.host, clock.now);
          }
          for (const host of ["a.test", "b.test", "c.test"]) {
            const at = released.get(host);
            if (ways.isOpen(host, 443, "connect") && (at === undefined || clock.now - at >= WAY_OPEN_MS)) return false;
            if (at === clock.now && one.kind === "open" && !ways.isOpen(host, 443, "connect")) return false;
          }
        }
        return true;
      }),
    );
  });
});
