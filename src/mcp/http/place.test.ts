import { describe, expect, it } from "vitest";
import { httpPlace } from "./place.ts";

describe("httpPlace", () => {
  it.each([
    ["3200", { host: "127.0.0.1", port: 3200 }],
    ["0", { host: "127.0.0.1", port: 0 }],
    ["65535", { host: "127.0.0.1", port: 65_535 }],
    ["localhost:3200", { host: "localhost", port: 3200 }],
    ["0.0.0.0:3200", { host: "0.0.0.0", port: 3200 }],
    ["Desk.Test:3200", { host: "desk.test", port: 3200 }],
    ["[::1]:3200", { host: "::1", port: 3200 }],
  ])("%s", (text, place) => {
    expect(httpPlace(text)).toEqual(place);
  });

  it.each([
    "",
    "http",
    "65536",
    "99999999",
    "-1",
    "3.2",
    "::1",
    "::1:3200",
    ":3200",
    "http://127.0.0.1:3200",
    "127.0.0.1",
    "a b:1",
    "a:1:2",
    "u@a:1",
    "a:1/mcp",
    "3200\n",
  ])("%j is wrong", (text) => {
    expect(() => httpPlace(text)).toThrow(/--http must be a port/);
  });
});
