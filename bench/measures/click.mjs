/** A plain click through MCP on stdio, whole calls as a client sees them. */

import { connectOurs, connectPeer } from "../harness/contestants.mjs";
import { milliseconds, ratioWords } from "../harness/report.mjs";
import { interleave, median, ratioOfMedians } from "../harness/statistics.mjs";

const CLICK_MS = 120;
const POLLING_CLICK_MS = 400;
const TIMES_FASTER = 5;
const TARGET = 'button "Count"';

/** @param {import("../run.mjs").Bench} bench */
export async function measureClick(bench) {
  const { browser, site, quick, random, folder } = bench;
  const ours = await connectOurs({ browser, origins: [site.url], folder });
  const peer = await connectPeer({ browser, folder });
  const pages = [
    {
      name: "a button that changes one text",
      path: "/button",
      rounds: quick ? 5 : 25,
      targetMs: CLICK_MS,
      faster: true,
    },
    {
      name: "the same on a page that long-polls for ever",
      path: "/polls-long",
      rounds: quick ? 4 : 15,
      targetMs: POLLING_CLICK_MS,
      faster: false,
    },
    {
      name: "the same on a page that asks every 150 ms for ever",
      path: "/polls-often",
      rounds: quick ? 4 : 15,
      targetMs: POLLING_CLICK_MS,
      faster: false,
    },
  ];
  /** @type {import("../harness/report.mjs").Row[]} */
  const rows = [];
  try {
    for (const { name, path, rounds, targetMs, faster } of pages) {
      await ours.call("navigate", { url: `${site.url}${path}` });
      await peer.call("browser_navigate", { url: `${site.url}${path}` });
      const ref = /button "Count".*?\[ref=(\w+)\]/.exec((await peer.call("browser_snapshot")).text)?.[1];
      if (ref === undefined) throw new Error("The peer shows no button.");
      let told = "";
      const measured = await interleave(
        {
          ours: async () => {
            const { text, ms } = await ours.call("click", { target: TARGET });
            told = text;
            return ms;
          },
          peer: async () => (await peer.call("browser_click", { target: ref, element: "Count" })).ms,
        },
        { rounds, random, warmUp: 2 },
      );
      const count = String(rounds + 2);
      if (!told.includes(`"${count}"`)) throw new Error("Our clicks did not all arrive.");
      if (!(await peer.call("browser_snapshot")).text.includes(count))
        throw new Error("The peer's clicks did not all arrive.");
      const ratio = ratioOfMedians(measured.peer, measured.ours, random);
      const ms = median(measured.ours);
      rows.push({
        what: name,
        ours: milliseconds(measured.ours),
        peer: milliseconds(measured.peer),
        ratio: ratioWords(ratio),
        target: `${faster ? "at most" : "under"} ${targetMs} ms${faster ? `, ratio at least ${TIMES_FASTER}` : ""}`,
        met: faster ? ms <= targetMs && ratio.ratio >= TIMES_FASTER : ms < targetMs,
      });
    }
  } finally {
    await ours.close();
    await peer.close();
  }
  return {
    title: "A plain click through MCP",
    how: "`click` of `chaperone mcp` against `browser_click` of `@playwright/mcp`, both with their defaults, over stdio. The ratio says how many times faster ours is. Our result tells what changed; the peer's names a file.",
    peer: "@playwright/mcp",
    rows,
  };
}
