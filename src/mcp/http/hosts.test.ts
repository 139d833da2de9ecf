import { describe, expect, it } from "vitest";
import { hostsOf, isLoopback } from "./hosts.ts";

const at = (address: string, port = 3200) => ({ address, port, family: "" });

describe("hostsOf", () => {
  it.each([
    ["127.0.0.1", at("127.0.0.1"), "127.0.0.1", ["127.0.0.1:3200", "localhost:3200"]],
    ["localhost", at("127.0.0.1"), "127.0.0.1", ["localhost:3200", "127.0.0.1:3200"]],
    ["::1", at("::1"), "::1", ["[::1]:3200", "localhost:3200"]],
    ["127.0.0.1", at("127.0.0.1", 80), "127.0.0.1", ["127.0.0.1", "127.0.0.1:80", "localhost", "localhost:80"]],
    ["desk.test", at("192.0.2.7"), "192.0.2.7", ["desk.test:3200", "192.0.2.7:3200"]],
    ["0.0.0.0", at("0.0.0.0"), "192.0.2.7", ["localhost:3200", "192.0.2.7:3200"]],
    ["::", at("::"), "::ffff:192.0.2.7", ["localhost:3200", "192.0.2.7:3200"]],
    ["::", at("::"), undefined, ["localhost:3200"]],
  ])("%s", (asked, address, local, hosts) => {
    expect([...hostsOf(asked, address, local)]).toEqual(hosts);
  });

  it.each([
    ["127.0.0.1", true],
    ["127.9.9.9", true],
    ["::1", true],
    ["localhost", true],
    ["0.0.0.0", false],
    ["192.0.2.7", false],
    ["127.0.0.1.evil.test", false],
    ["localhost.evil.test", false],
  ])("isLoopback(%s): %s", (host, loopback) => {
    expect(isLoopback(host)).toBe(loopback);
  });
});
