import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { yesAndAsked } from "../yes.ts";
import { stage } from "./support.ts";

/** Longer than a page is quiet before it counts as settled. */
const ANSWER_MS = 400;

const SAVE = `<button onclick="fetch('/save', { method: 'POST', body: 'n=1' }).then(() => { document.querySelector('output').textContent = 'Saved' })">Save</button><output></output>`;

test("a result shows what came of a request that somebody was asked about, also when the server takes its time", async () => {
  const { options, asked } = yesAndAsked();
  await using it = await stage(options);
  it.server.on("/save", (_request, response) => void wait(ANSWER_MS).then(() => response.end()));
  await it.show(SAVE);
  expect(it.server.hitsTo("/save")).toEqual([]);
  expect((await it.call("click", { target: 'button "Save"' })).snapshot).toContain("Saved");
  expect(asked).toMatchObject([
    { about: "effect", lines: expect.arrayContaining([expect.stringContaining(`POST "${it.server.url}/save"`)]) },
  ]);
  expect(it.server.hitsTo("/save")).toHaveLength(1);
});

test("a click after a step within the document is asked about as that click", async () => {
  const { options, asked } = yesAndAsked();
  await using it = await stage(options);
  await it.show(SAVE);
  await it.call("navigate", { url: `${it.server.url}/#part` });
  expect(await it.call("click", { target: 'button "Save"' })).toMatchObject({
    ok: true,
    snapshot: expect.stringContaining("Saved"),
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.lines.join("\n")).toContain('click on button "Save"');
});
