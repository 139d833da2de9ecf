import { describe, expect, test } from "vitest";
import { describeEffect } from "../gate/index.ts";
import type { RequestFacts } from "../types.ts";
import { sameOf } from "./same.ts";

const SHOP = "https://shop.test/";

function same(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const sent: RequestFacts = {
    id: "r1",
    kind: "data",
    resourceType: "Fetch",
    method: "POST",
    url: "https://shop.test/pay",
    headers,
    body: { kind: "bytes", contentType: "application/x-www-form-urlencoded", bytes: Buffer.from(body), digest: body },
    from: {
      target: "T",
      targetType: "page",
      frame: "T",
      documentUrl: SHOP,
      document: "D",
      mainUrl: SHOP,
      page: "T",
      freshPopup: false,
    },
    hop: 0,
    redirectedFrom: null,
    cause: { by: "page" },
    input: null,
  };
  return sameOf(
    sent,
    describeEffect({ ...sent, documentUrl: SHOP, mainUrl: SHOP, isPrivateSite: true, element: null }),
  );
}

describe("a retry is the same request", () => {
  test.each([["amount=10&nonce=8f2b1c77d0e9", "amount=10&nonce=4f1c9a77d0e9"]])("%s, %s", (one, other) => {
    expect(same(one)).toBe(same(other));
  });

  test("with another name of the request in its headers", () => {
    expect(same("amount=10", { "X-Request-Id": "a-1" })).toBe(same("amount=10", { "X-Request-Id": "a-2" }));
  });

  test.each([
    ["amount=10", "amount=11"],
    ["request_id=41", "request_id=99"],
    ["time=1764583200", "time=1796119200"],
    ["rid=1234567890a", "rid=1234567890b"],
    ["time=18:00", "time=12:00"],
    ["time=2026-12-01", "time=2026-12-02"],
    ["t=Ada", "t=Bea"],
    ["rid=42", "rid=43"],
    ["amount=10", "amount=10&amount=90"],
  ])("but not with another value: %s, %s", (one, other) => {
    expect(same(one)).not.toBe(same(other));
  });

  test("but not with another header", () => {
    expect(same("amount=10")).not.toBe(same("amount=10", { "X-HTTP-Method-Override": "DELETE" }));
  });
});
