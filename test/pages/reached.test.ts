import { afterAll, beforeAll, expect, test } from "vitest";
import type { Envelope } from "../../src/index.ts";
import { refOf, type Stage, stage } from "../acting/support.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";

let other: RecordingServer;
let it: Stage;
beforeAll(async () => {
  other = await recordingServer();
  it = await stage({ private: ["localhost"] });
});
afterAll(async () => {
  await it?.[Symbol.asyncDispose]();
  await other.close();
});

/** What the pages note of what was done on them, in order. */
const NOTES = `<output>did</output><script>const did = (what) => { document.querySelector("output").textContent += " " + what; };</script>`;

async function clickAll(shown: Envelope, ...names: readonly string[]): Promise<string> {
  for (const name of names) {
    const clicked = await it.call("click", { target: refOf(shown, name) });
    expect(clicked, `${name}: ${JSON.stringify(clicked)}`).toMatchObject({ ok: true });
  }
  return (await it.call("snapshot", { detail: "full" })).snapshot ?? "";
}

test("T8: buttons in open and closed shadow roots are shown and clicked", async () => {
  const shown = await it.show(`${NOTES}<div id=open></div><div id=closed></div><script>
    for (const mode of ["open", "closed"]) {
      const root = document.getElementById(mode).attachShadow({ mode });
      root.innerHTML = "<button>In " + mode + "</button>";
      root.firstChild.onclick = () => did(mode);
    }</script>`);
  expect(await clickAll(shown, "In open", "In closed")).toContain('"did open closed"');
});

test("T9: three frames in one another, of two origins and a srcdoc, are shown with where they come from, and clicked", async () => {
  other.html(
    "/inner",
    `<button onclick="fetch('/inner-done')">Inner</button><iframe srcdoc="<button onclick=&quot;fetch('/srcdoc-done')&quot;>Deepest</button>"></iframe>`,
  );
  it.server.html(
    "/middle",
    `<button onclick="fetch('/middle-done')">Middle</button><iframe src="${other.url}/inner" width=500 height=300></iframe>`,
  );
  await it.show(`<h1>Top</h1><iframe src="/middle" width=600 height=500></iframe>`);
  expect(await it.call("wait_for", { text: "Deepest" })).toMatchObject({ ok: true });
  const shown = await it.call("snapshot", { detail: "full" });
  expect(shown.snapshot).toContain(other.host);
  await clickAll(shown, "Middle", "Inner", "Deepest");
  await it.server.waitForHit("/middle-done");
  await other.waitForHit("/inner-done");
  await other.waitForHit("/srcdoc-done");
});

test("T10: a canvas is a region, and a place in it can be clicked", async () => {
  const shown = await it.show(`${NOTES}<canvas width=300 height=120 style="border:4px solid"></canvas><script>
    const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
    pen.fillStyle = "#08f"; pen.fillRect(200, 20, 80, 40); pen.fillStyle = "#fff"; pen.fillText("PAY", 228, 44);
    canvas.onclick = ({ offsetX: x, offsetY: y }) => did(x >= 200 && x < 280 && y >= 20 && y < 60 ? "paid" : "missed");
  </script>`);
  const ref = /e\d+(?= canvas)/.exec(shown.snapshot ?? "")?.[0];
  expect(ref, shown.snapshot).toBeDefined();
  expect(await it.call("click", { target: `${ref}@240,40` })).toMatchObject({
    ok: true,
    snapshot: expect.stringContaining('"did paid"'),
  });
  expect(await it.call("click", { target: `${ref}@400,40` })).toMatchObject({
    ok: false,
    error: { code: "bad_arguments" },
  });
});

test("T11: a styled div, a span with tabindex, an svg icon and a label that hides a radio, each with its role and state", async () => {
  const shown = await it.show(`${NOTES}<style>.b { cursor: pointer } .r { position: absolute; opacity: 0 }</style>
    <div class=b onclick="did('div')">Pay now</div><p>Text <span tabindex=0 onclick="did('span')">More</span></p>
    <svg width=24 height=24 style="cursor:pointer" onclick="did('svg')"><title>Close</title><path d="M0 0h24v24H0z"/></svg>
    <label><input type=radio name=s class=r checked><b>Standard</b></label><label><input type=radio name=s class=r onchange="did('radio')"><b>Express</b></label>`);
  for (const line of [
    /e\d+ clickable "Pay now"/,
    /e\d+ clickable "More"/,
    /e\d+ clickable "Close"/,
    /e\d+ radio "Standard" \[checked\]/,
    /e\d+ radio "Express"(?! \[checked)/,
  ])
    expect(shown.snapshot).toMatch(line);
  const after = await clickAll(shown, "Pay now", "More", "Close", "Express");
  expect(after).toContain('"did div span svg radio"');
  expect(after).toMatch(/radio "Standard" \[unchecked/);
  expect(after).toMatch(/radio "Express" \[checked/);
});
