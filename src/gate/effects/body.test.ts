import { describe, expect, test } from "vitest";
import { cpuTime } from "../../../test/cpu-time.ts";
import { readBody } from "./body.ts";
import { MAX_FIELDS, MAX_READ_BYTES } from "./parts.ts";
import { bodyOf, FORM, JSON_TYPE } from "./request.fixture.ts";

const MULTIPART = "multipart/form-data; boundary=----b";

function multipart(...parts: readonly string[]): string {
  return `${parts.map((part) => `------b\r\n${part}\r\n`).join("")}------b--\r\n`;
}

function field(name: string, value: string): string {
  return `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
}

function read(contentType: string, content: string | Uint8Array, headers?: Readonly<Record<string, string>>) {
  return readBody(bodyOf(contentType, content), headers);
}

function shown(contentType: string, content: string): readonly string[] {
  return read(contentType, content).fields.map(({ name, value }) => `${name}=${value}`);
}

describe("forms", () => {
  test.each([
    ["a=1&b=2", ["a=1", "b=2"]],
    ["a=1&a=2", ["a=1", "a=2"]],
    ["a", ["a="]],
    ["=x", ["=x"]],
    ["a=b=c", ["a=b=c"]],
    ["&&a=1&", ["a=1"]],
    ["na%20me=a+b%26c", ["na me=a b&c"]],
    ["n=%C3%A9%F0%9F%98%80", ["n=é😀"]],
    ["a=1;b=2", ["a=1;b=2"]],
    ["", []],
  ])("%s", (content, expected) => expect(shown(FORM, content)).toEqual(expected));

  test.each(["a=%", "a=%zz", "a=%C3", "a=%FF", "%80=1", "a=%00", "a=\0"])("%j cannot be inspected", (content) => {
    expect(read(FORM, content)).toMatchObject({ kind: "opaque", fields: [], whole: false, bytes: content.length });
  });
});

describe("JSON", () => {
  test.each([
    ['{"a":1,"b":{"c":[true,null,"x"]}}', ["a=1", "b.c[0]=true", "b.c[1]=null", "b.c[2]=x"]],
    ['{"a":1,"a":2}', ["a=1", "a=2"]],
    ['{"a.b":1,"a":{"b":2}}', ['"a.b"=1', "a.b=2"]],
    ['{"a[0]":1,"":2}', ['"a[0]"=1', '""=2']],
    ['{"n":10000000000000000000001,"m":1e400,"z":-0}', ["n=10000000000000000000001", "m=1e400", "z=-0"]],
    ['{"s":"\\ud83d\\ude00\\ud800"}', ["s=😀\\ud800"]],
    ['{"s":"\\u0041\\n\\/"}', ["s=A\n/"]],
    ["[]", ["=[]"]],
    ['{"a":{},"b":[]}', ["a={}", "b=[]"]],
    ['"x"', ["=x"]],
    [' { "a" : 1 } \n', ["a=1"]],
    ['{"__proto__":{"x":1}}', ["__proto__.x=1"]],
  ])("%s", (content, expected) => expect(shown(JSON_TYPE, content)).toEqual(expected));

  test.each([
    "",
    "{",
    "{a:1}",
    "{'a':1}",
    "[1,]",
    "01",
    "+1",
    ".5",
    "NaN",
    '"\t"',
    '"\\x41"',
    '"\\u12"',
    '"a',
    '{"a":1}x',
    "\ufeff{}",
    "//c\n1",
    '{"a" 1}',
    "1 2",
  ])("%j cannot be inspected", (content) => {
    expect(read(JSON_TYPE, content)).toMatchObject({ kind: "opaque", whole: false });
  });

  test("too deep and too much", () => {
    expect(read(JSON_TYPE, "[".repeat(60) + "]".repeat(60)).kind).toBe("fields");
    expect(read(JSON_TYPE, "[".repeat(100_000) + "]".repeat(100_000)).kind).toBe("opaque");
    expect(read(JSON_TYPE, JSON.stringify(Array.from({ length: MAX_FIELDS }, () => 1))).kind).toBe("fields");
    expect(read(JSON_TYPE, JSON.stringify(Array.from({ length: MAX_FIELDS + 1 }, () => 1))).kind).toBe("opaque");
    expect(read(JSON_TYPE, `{"${"k".repeat(500_000)}":[${"1,".repeat(1_000)}1]}`).kind).toBe("opaque");
    expect(read(JSON_TYPE, `"${"\\n".repeat(500_000)}"`).kind).toBe("fields");
  });

  test.each(["application/ld+json", "application/vnd.api+json; charset=UTF-8", "text/json"])("%s too", (type) =>
    expect(shown(type, '{"a":1}')).toEqual(["a=1"]),
  );
});

describe("multipart forms", () => {
  test("fields", () => {
    expect(read(MULTIPART, multipart(field("a", "1"), field("a", "x\r\ny"), field("ü%22", "")))).toMatchObject({
      kind: "fields",
      fields: [
        { name: "a", value: "1" },
        { name: "a", value: "x\r\ny" },
        { name: "ü%22", value: "" },
      ],
      files: [],
      whole: true,
    });
    expect(read(MULTIPART, "------b--\r\n")).toMatchObject({ kind: "fields", fields: [], whole: true });
  });

  test("a file is named and measured", () => {
    const file =
      'Content-Disposition: form-data; name="f"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\0\xff123';
    const bytes = Uint8Array.from(multipart(field("a", "1"), file), (sign) => sign.charCodeAt(0));
    expect(read(MULTIPART, bytes)).toMatchObject({
      kind: "fields",
      fields: [{ name: "a", value: "1" }],
      files: [{ name: "f", filename: "a.bin", bytes: 5 }],
      whole: false,
    });
  });

  test("a part of another type is a file", () => {
    const part = 'Content-Disposition: form-data; name="j"\r\nContent-Type: application/json\r\n\r\n{}';
    expect(read(MULTIPART, multipart(part)).files).toEqual([{ name: "j", filename: "", bytes: 2 }]);
  });

  test.each([
    ["no boundary", "multipart/form-data", multipart(field("a", "1"))],
    ["two boundaries", "multipart/form-data; boundary=----b; boundary=x", multipart(field("a", "1"))],
    ["another boundary", "multipart/form-data; boundary=x", multipart(field("a", "1"))],
    ["text before", MULTIPART, `x\r\n${multipart(field("a", "1"))}`],
    ["text after", MULTIPART, `${multipart(field("a", "1"))}x`],
    ["no end", MULTIPART, multipart(field("a", "1")).slice(0, -6)],
    ["bare line feeds", MULTIPART, multipart(field("a", "1")).replaceAll("\r\n", "\n")],
    ["the delimiter in a value", MULTIPART, multipart(field("a", "x------b y"))],
    ["a longer boundary", MULTIPART, multipart(field("a", "1")).replace("------b\r", "------bb\r")],
    ["no blank line", MULTIPART, multipart('Content-Disposition: form-data; name="a"')],
    ["no name", MULTIPART, multipart("Content-Disposition: form-data\r\n\r\n1")],
    ["a name twice", MULTIPART, multipart('Content-Disposition: form-data; name="a"; name="b"\r\n\r\n1')],
    ["two dispositions", MULTIPART, multipart(`Content-Disposition: form-data; name="b"\r\n${field("a", "1")}`)],
    ["an encoding", MULTIPART, multipart(`Content-Transfer-Encoding: base64\r\n${field("a", "MQ==")}`)],
    ["filename*", MULTIPART, multipart("Content-Disposition: form-data; name=\"a\"; filename*=utf-8''x\r\n\r\n1")],
    ["NUL in a value", MULTIPART, multipart(field("a", "\0"))],
  ])("%s: cannot be inspected", (_what, type, content) =>
    expect(read(type, content)).toMatchObject({ kind: "opaque", fields: [], files: [], whole: false }),
  );
});

describe("text and the rest", () => {
  test("text", () =>
    expect(read("text/plain;charset=UTF-8", "grüße\n")).toMatchObject({
      kind: "text",
      text: "grüße\n",
      whole: true,
      bytes: 8,
    }));
  test("none", () =>
    expect(readBody({ kind: "none" })).toMatchObject({ kind: "none", digest: null, whole: true, bytes: 0 }));
  test("without its bytes", () =>
    expect(readBody({ kind: "opaque", contentType: FORM, knownBytes: 7 })).toMatchObject({
      kind: "opaque",
      digest: null,
      whole: false,
      bytes: 7,
    }));

  test.each([
    ["", "a=1"],
    ["application/octet-stream", "a=1"],
    ["application/xml", "<a/>"],
    [`${FORM}; charset=windows-1252`, "a=1"],
    ["text/plain; charset=utf-16", "a=1"],
    [`${FORM}, ${JSON_TYPE}`, "a=1"],
    [`${FORM}; charset=utf-8; charset=utf-7`, "a=1"],
    ["text/plain", "a\0b"],
  ])("%j %j cannot be inspected", (type, content) => {
    const found = read(type, content);
    expect(found).toMatchObject({ kind: "opaque", text: "", whole: false, bytes: content.length });
    expect(found.digest).toMatch(/^[\da-f]{64}$/);
  });

  test("bytes that are not UTF-8", () => expect(read("text/plain", Uint8Array.of(0x80)).kind).toBe("opaque"));
  test("compressed", () => {
    expect(read(FORM, "a=1", { "Content-Encoding": "gzip" }).kind).toBe("opaque");
    expect(read(FORM, "a=1", { "content-encoding": "identity" }).kind).toBe("fields");
  });
});

describe("a hundred million bytes", () => {
  const SIZE = 100_000_000;
  const MAX_MS = 2_000;
  const digest = "0".repeat(64);

  test.each([
    ["a form", FORM, "opaque"],
    ["JSON", JSON_TYPE, "opaque"],
    ["text", "text/plain", "text"],
    ["a multipart form", MULTIPART, "opaque"],
  ])("%s is answered fast, and what is not shown is said", (_what, contentType, kind) => {
    const bytes = new Uint8Array(SIZE).fill(0x61);
    const spentMs = cpuTime();
    const found = readBody({ kind: "bytes", contentType, bytes, digest });
    expect(spentMs()).toBeLessThan(MAX_MS);
    expect(found).toMatchObject({ kind, whole: false, bytes: SIZE, digest });
    expect(found.text.length).toBeLessThanOrEqual(MAX_READ_BYTES);
  });

  test("a file of that size leaves the fields beside it readable", () => {
    const head = new TextEncoder().encode(
      `------b\r\n${field("a", "1")}\r\n------b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n`,
    );
    const tail = new TextEncoder().encode("\r\n------b--\r\n");
    const bytes = new Uint8Array(head.length + SIZE + tail.length).fill(0x2d);
    bytes.set(head);
    bytes.fill(0x61, head.length, head.length + SIZE);
    bytes.set(tail, head.length + SIZE);
    const spentMs = cpuTime();
    expect(readBody({ kind: "bytes", contentType: MULTIPART, bytes, digest })).toMatchObject({
      fields: [{ name: "a", value: "1" }],
      files: [{ name: "f", filename: "x", bytes: SIZE }],
      whole: false,
    });
    expect(spentMs()).toBeLessThan(MAX_MS);
  });

  test("text is cut between signs", () => {
    const found = read("text/plain", "€".repeat(MAX_READ_BYTES / 3 + 100));
    expect(found.whole).toBe(false);
    expect(new Set(found.text)).toEqual(new Set(["€"]));
  });
});
