import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCode, newCode } from "./code.ts";
import { questionDigest, type RequestIdentity, requestDigest } from "./digest.ts";

const IDENTITY: RequestIdentity = {
  sessionId: "s1",
  method: "POST",
  url: "https://shop.test/orders",
  bodyDigest: "ab".repeat(32),
  contentType: "application/json",
  documentUrl: "https://shop.test/",
};

describe("digests", () => {
  test("are the same wherever they are made", () => {
    expect(requestDigest(IDENTITY)).toBe("2288292e7b995c08b73787acafd99a3f817f20b854ef0042e02dadfee0b17acb");
    const { sessionId, ...rest } = IDENTITY;
    expect(requestDigest({ ...rest, sessionId })).toBe(requestDigest(IDENTITY));
  });

  test("of a request: any difference makes another", () => {
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "null", '"', '","', "s1"));
    const identity = fc.record({
      sessionId: value,
      method: value,
      url: value,
      bodyDigest: fc.option(value),
      contentType: fc.option(value),
      documentUrl: fc.option(value),
    });
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const isSame = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
        expect(requestDigest(one) === requestDigest(other)).toBe(isSame);
      }),
    );
    for (const name of Object.keys(IDENTITY))
      expect(requestDigest({ ...IDENTITY, [name]: "other" })).not.toBe(requestDigest(IDENTITY));
    for (const name of ["bodyDigest", "contentType", "documentUrl"]) {
      expect(requestDigest({ ...IDENTITY, [name]: null })).not.toBe(requestDigest({ ...IDENTITY, [name]: "null" }));
    }
  });

  test("of a request: headers that the page wrote count, their order and case do not", () => {
    const withHeaders = (...written: (readonly [string, string])[]): string => requestDigest({ ...IDENTITY, written });
    expect(withHeaders()).toBe(requestDigest(IDENTITY));
    expect(withHeaders(["X-HTTP-Method-Override", "DELETE"])).not.toBe(requestDigest(IDENTITY));
    expect(withHeaders(["X-A", "1"])).not.toBe(withHeaders(["X-A", "2"]));
    expect(withHeaders(["X-A", "1"], ["X-B", "2"])).toBe(withHeaders(["x-b", "2"], ["x-a", "1"]));
  });

  test("of a question: the order does not count, the number does", () => {
    expect(questionDigest(["a", "b"])).toBe(questionDigest(["b", "a"]));
    expect(
      new Set([
        questionDigest([]),
        questionDigest(["a"]),
        questionDigest(["a", "a"]),
        questionDigest(["a", "b"]),
        questionDigest(["ab"]),
        questionDigest(['a","b']),
      ]).size,
    ).toBe(6);
  });
});

describe("codes", () => {
  test("four signs that no other sign looks like", () => {
    for (let index = 0; index < 18; index++)
      expect(newCode((from, to) => from + (index % to))).toMatch(/^[CDFHJKMNPRTWXY3479]{4}$/);
    let next = 0;
    expect(newCode((from, to) => from + (next++ % to))).toBe("CDFH");
  });

  test.each([
    ["XY34", true],
    [" xy34\n", true],
    ["XY3", false],
    ["XY344", false],
    ["", false],
    ["X Y34", false],
  ])("%j is XY34: %j", (typed, is) => expect(isCode(typed, "XY34")).toBe(is));
});
