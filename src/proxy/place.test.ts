import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connectTarget, httpTarget, placeOf } from "./place.ts";

describe("targets", () => {
  test.each([
    ["http://a.test/", { host: "a.test", port: 80, authority: "a.test", path: "/" }],
    ["http://a.test", { host: "a.test", port: 80, authority: "a.test", path: "/" }],
    ["http://a.test:8080/p?q=1&r=%20", { host: "a.test", port: 8080, authority: "a.test:8080", path: "/p?q=1&r=%20" }],
    ["http://a.test./", { host: "a.test", port: 80, authority: "a.test.", path: "/" }],
    ["http://127.0.0.1:1/", { host: "127.0.0.1", port: 1, authority: "127.0.0.1:1", path: "/" }],
    ["http://[::1]/", { host: "::1", port: 80, authority: "[::1]", path: "/" }],
    ["http://[::1]:65535/", { host: "::1", port: 65_535, authority: "[::1]:65535", path: "/" }],
    ["http://a_b.test//x", { host: "a_b.test", port: 80, authority: "a_b.test", path: "//x" }],
    ["http://a.test:80/", null],
    ["http://a.test?x", null],
    ["HTTP://a.test/", null],
    ["http:/a.test/", null],
    ["http:///", null],
    ["http://a.test\\b/", null],
    ["http://[::1/", null],
    ["http://[v1.a]/", null],
    ["http://xn--a.test/", null],
    ["http://1.2.3/", null],
    ["http://a.1/", null],
  ])("%s", (target, place) => expect(httpTarget(target)).toEqual(place));

  test.each([
    ["a.test:443", { host: "a.test", port: 443 }],
    ["a.test.:443", { host: "a.test", port: 443 }],
    ["[2001:db8::1]:443", { host: "2001:db8::1", port: 443 }],
    ["192.0.2.1:80", { host: "192.0.2.1", port: 80 }],
    ["a.test", null],
    ["a.test:", null],
    ["a.test:x", null],
    ["a.test:99999", null],
    ["192.0.2.1.:80", null],
    ["[2001:DB8::1]:443", null],
    [".:1", null],
  ])("CONNECT %s", (target, place) => expect(connectTarget(target)).toEqual(place));

  test("whatever passes is what the URL standard reads in it", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.webAuthority({ withIPv4: true, withIPv6: true, withPort: true }).map((text) => `http://${text}/`),
          fc.string(),
        ),
        (text) => {
          const target = httpTarget(text);
          if (target === null) return true;
          const url = new URL(text);
          return (
            url.username === "" &&
            placeOf(text)?.host === target.host &&
            placeOf(text)?.port === target.port &&
            url.protocol === "http:"
          );
        },
      ),
    );
  });

  test("any text is refused or read, never thrown at", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) =>
        [connectTarget(text), httpTarget(text), placeOf(text)].every((place) => place === null || place.port > 0),
      ),
    );
  });
});
