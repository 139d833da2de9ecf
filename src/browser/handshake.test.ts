import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../test/runs.ts";
import { askVersion, VERSION_MESSAGE_ID } from "./handshake.ts";

const answer = `${JSON.stringify({ id: VERSION_MESSAGE_ID, result: { product: "Chrome/1.2.3.4" } })}\0`;

function streams() {
  return { toBrowser: new PassThrough(), fromBrowser: new PassThrough() };
}

async function allOf(stream: PassThrough): Promise<string> {
  stream.end();
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

test("asks once, with an id of its own", async () => {
  const { toBrowser, fromBrowser } = streams();
  fromBrowser.write(answer);
  expect(await askVersion(toBrowser, fromBrowser)).toBe("Chrome/1.2.3.4");
  expect(await allOf(toBrowser)).toBe(`${JSON.stringify({ id: VERSION_MESSAGE_ID, method: "Browser.getVersion" })}\0`);
});

test("whatever surrounds the answer, in whatever pieces, is there for the next reader", async () => {
  const other = fc
    .string({ unit: "binary", maxLength: 20 })
    .map((text) => `${JSON.stringify({ method: "x", params: { text } })}\0`);
  const some = fc.array(other, { maxLength: 3 }).map((messages) => messages.join(""));
  await fc.assert(
    fc.asyncProperty(some, some, fc.array(fc.nat({ max: 200 }), { maxLength: 5 }), async (before, after, cuts) => {
      const { toBrowser, fromBrowser } = streams();
      const bytes = Buffer.from(before + answer + after);
      const version = askVersion(toBrowser, fromBrowser);
      const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      for (const [index, from] of places.entries()) {
        const piece = bytes.subarray(from, places[index + 1] ?? bytes.length);
        if (piece.length > 0) await new Promise<void>((resolve) => fromBrowser.write(piece, () => resolve()));
      }
      expect(await version).toBe("Chrome/1.2.3.4");
      expect(await allOf(fromBrowser)).toBe(before + after);
    }),
    { numRuns: runs(40) },
  );
});

test("a listener that comes later gets what comes later", async () => {
  const { toBrowser, fromBrowser } = streams();
  fromBrowser.write(answer);
  await askVersion(toBrowser, fromBrowser);
  const next = new Promise((resolve) => fromBrowser.on("data", (chunk) => resolve(String(chunk))));
  fromBrowser.write("later\0");
  expect(await next).toBe("later\0");
});

test.each([
  ["ends", (stream: PassThrough) => void stream.end()],
  ["is destroyed", (stream: PassThrough) => void stream.destroy()],
  [
    "answers with an error",
    (stream: PassThrough) => void stream.end(`${JSON.stringify({ id: VERSION_MESSAGE_ID, error: {} })}\0`),
  ],
  ["answers nonsense", (stream: PassThrough) => void stream.end("{\0null\0[]\0")],
])("a browser whose pipe %s is an error", async (_how, act) => {
  const { toBrowser, fromBrowser } = streams();
  const version = askVersion(toBrowser, fromBrowser);
  act(fromBrowser);
  await expect(version).rejects.toThrow();
});
