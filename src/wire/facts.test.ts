import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { RequestFrom } from "../types.ts";
import { factsOf, kindOf, type Paused } from "./facts.ts";

const FROM: RequestFrom = {
  target: "T",
  targetType: "page",
  frame: "T",
  documentUrl: null,
  mainUrl: null,
  page: "T",
  freshPopup: false,
};
const FRAME: RequestFrom = { ...FROM, frame: "F" };

function paused(request: Partial<Paused["request"]> = {}, resourceType: Paused["resourceType"] = "Fetch"): Paused {
  return {
    requestId: "r1",
    frameId: "T",
    resourceType,
    request: {
      url: "https://shop.test/",
      method: "POST",
      headers: {},
      initialPriority: "High",
      referrerPolicy: "no-referrer",
      ...request,
    },
  };
}

const bodyOf = (request: Partial<Paused["request"]>) =>
  factsOf(paused(request), FROM, { count: 0, before: null }, { cause: { by: "page" }, input: null }).body;
const entry = (text: string): { readonly bytes: string } => ({ bytes: Buffer.from(text).toString("base64") });

describe("a body", () => {
  test("in parts that are all there is known to the byte", () => {
    const bytes = Buffer.from("a=1&b=\u00e9");
    expect(
      bodyOf({
        hasPostData: true,
        postDataEntries: [entry("a=1&"), entry("b=\u00e9")],
        headers: { "Content-Type": "text/plain" },
      }),
    ).toEqual({
      kind: "bytes",
      contentType: "text/plain",
      bytes,
      digest: createHash("sha256").update(bytes).digest("hex"),
    });
  });

  test.each<[string, Partial<Paused["request"]>, number]>([
    [
      "with a part that is not there (a file)",
      { hasPostData: true, postDataEntries: [entry("a=1"), {}, entry("b=2")] },
      6,
    ],
    ["whose last part is not there", { hasPostData: true, postDataEntries: [entry("a=1"), {}] }, 3],
    ["of which nothing is there (a stream)", { hasPostData: true }, 0],
    ["that was too long to be read", { hasPostData: true, postDataEntries: [{ bytes: "cut 4000000" }] }, 3_000_000],
  ])("%s cannot be inspected", (_what, request, knownBytes) =>
    expect(bodyOf(request)).toEqual({ kind: "opaque", contentType: "", knownBytes }),
  );

  test("that is none", () => expect(bodyOf({})).toEqual({ kind: "none" }));
});

describe("its kind", () => {
  test.each<[string, Paused, RequestFrom, string]>([
    ["a page", paused({}, "Document"), FROM, "navigation"],
    ["a frame", paused({}, "Document"), FRAME, "subframe"],
    ["a document of no page that is known", paused({}, "Document"), { ...FRAME, page: null }, "navigation"],
    ["a fetch", paused({}, "Fetch"), FRAME, "data"],
    ["a beacon", paused({}, "Ping"), FROM, "data"],
    ["a picture", paused({}, "Image"), FROM, "subresource"],
    ["a worker's script", paused({ headers: { "Sec-Fetch-Dest": "sharedworker" } }, "Script"), FROM, "worker"],
    ["a Service Worker's script", paused({ headers: { "Service-Worker": "script" } }, "Other"), FROM, "worker"],
    [
      "a page that is loaded ahead",
      paused({ headers: { "Sec-Purpose": "prefetch;prerender" } }, "Document"),
      FROM,
      "prefetch",
    ],
    ["what nobody knows", paused({}, "Other"), FROM, "unknown"],
  ])("%s", (_what, request, from, kind) => expect(kindOf(request, from)).toBe(kind));
});
