/** Our process: how soon the first view is there, how much memory it takes after some work. */

import { readFile } from "node:fs/promises";
import { connectOurs, connectPeer } from "../harness/contestants.mjs";
import { milliseconds, ratioWords } from "../harness/report.mjs";
import { interleave, ratioOfMedians } from "../harness/statistics.mjs";

const MEMORY_MB = 200;
const CALLS = 20;
const KB_PER_MB = 1_024;

/** @param {import("../run.mjs").Bench} bench */
export async function measureProcess(bench) {
  const { browser, site, quick, random, folder } = bench;
  const url = `${site.url}/table?rows=200`;
  const start = async (
    /** @type {() => ReturnType<typeof connectOurs>} */ connect,
    /** @type {readonly [string, object][]} */ calls,
  ) => {
    const began = performance.now();
    const server = await connect();
    for (const [name, args] of calls) await server.call(name, { ...args });
    const ms = performance.now() - began;
    await server.close();
    return ms;
  };
  const connectsOurs = () => connectOurs({ browser, origins: [site.url], folder });
  const connectsPeer = () => connectPeer({ browser, folder });
  const measured = await interleave(
    {
      ours: () => start(connectsOurs, [["navigate", { url }]]),
      // Its answer to a navigation names a file: the view is the next call.
      peer: () =>
        start(connectsPeer, [
          ["browser_navigate", { url }],
          ["browser_snapshot", {}],
        ]),
    },
    { rounds: quick ? 2 : 5, random },
  );

  const ours = await connectsOurs();
  const peer = await connectsPeer();
  try {
    for (let call = 0; call < CALLS; call++) {
      const page = `${site.url}${["/table?rows=3000", "/article", "/button", "/images?count=200"][call % 4]}`;
      await ours.call(
        ...(call % 8 < 4
          ? /** @type {const} */ (["navigate", { url: page }])
          : /** @type {const} */ (["snapshot", {}])),
      );
      if (call % 8 < 4) await peer.call("browser_navigate", { url: page });
      else await peer.call("browser_snapshot");
    }
    const oursMb = await residentMb(ours.pid);
    const peerMb = await residentMb(peer.pid);
    return {
      title: "The server process",
      how: `From starting the server to its first view of a table of 200 rows; memory of the server process, without Chromium, after ${CALLS} calls on pages of all sizes. The ratio says how many times faster ours is.`,
      peer: "@playwright/mcp",
      rows: [
        {
          what: "start to first view",
          ours: milliseconds(measured.ours),
          peer: milliseconds(measured.peer),
          ratio: ratioWords(ratioOfMedians(measured.peer, measured.ours, random)),
        },
        ...(oursMb === null
          ? []
          : [
              {
                what: `memory after ${CALLS} calls`,
                ours: `${oursMb} MB`,
                peer: `${peerMb} MB`,
                target: `under ${MEMORY_MB} MB`,
                met: oursMb < MEMORY_MB,
              },
            ]),
      ],
    };
  } finally {
    await ours.close();
    await peer.close();
  }
}

/**
 * Null where the system does not tell.
 * @param {number} pid
 */
async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / KB_PER_MB);
}
