/**
 * What one decision costs, without DNS and without the disk: the guard as a session has it, on requests of every kind.
 */

import { openGuard } from "../../dist/guard/index.js";
import { milliseconds } from "../harness/report.mjs";
import { quantile } from "../harness/statistics.mjs";

const MAX_DECISION_MS = 1;
const PAGE = "https://shop.test/orders?page=2";
const SLOWEST_SHARE = 0.99;

/** @param {Record<string, unknown>} more */
const request = (more) =>
  /** @type {any} */ ({
    id: "r",
    kind: "data",
    resourceType: "Fetch",
    method: "GET",
    url: "https://shop.test/api/orders?status=open&page=2",
    headers: { origin: "https://shop.test", referer: PAGE, "user-agent": "Mozilla/5.0", accept: "*/*" },
    body: { kind: "none" },
    from: {
      target: "T",
      targetType: "page",
      frame: "T",
      documentUrl: PAGE,
      document: "D",
      mainUrl: PAGE,
      page: "T",
      freshPopup: false,
    },
    hop: 0,
    redirectedFrom: null,
    cause: { by: "page" },
    input: null,
    ...more,
  });

const form = Buffer.from(Array.from({ length: 40 }, (_, index) => `field${index}=value%20${index}`).join("&"));

const cases = [
  { what: "a fetch of the page's own site", facts: request({}) },
  {
    what: "a picture of another host",
    facts: request({
      kind: "subresource",
      resourceType: "Image",
      url: "https://cdn.test/a/b/c.png?v=3",
      namedByDocument: true,
    }),
  },
  {
    what: "a navigation to a site out of scope",
    facts: request({ kind: "navigation", resourceType: "Document", url: "https://elsewhere.test/" }),
  },
  {
    what: "a form of 40 fields, which nobody permits",
    facts: request({
      method: "POST",
      body: { kind: "bytes", contentType: "application/x-www-form-urlencoded", bytes: form, digest: "0".repeat(64) },
      input: "c1",
    }),
  },
];

/** @param {import("../run.mjs").Bench} bench */
export async function measureDecision({ quick }) {
  const rows = cases.map(({ what, facts }) => {
    const { guard } = openGuard({
      reach: { allow: ["shop.test", "desk.test"] },
      mode: "act",
      ledger: null,
      clock: Date.now,
      newId: () => "bench",
    });
    const times = [];
    for (let round = 0; round < (quick ? 1_000 : 10_000); round++) {
      const began = performance.now();
      guard.request({ ...facts, id: `r${round}` });
      times.push(performance.now() - began);
    }
    // The first ones are compiled.
    const warm = times.slice(times.length / 10);
    const slow = quantile(warm, SLOWEST_SHARE);
    return {
      what,
      ours: `${milliseconds(warm)}, 99 of 100 under ${slow.toFixed(2)} ms`,
      target: `at most ${MAX_DECISION_MS} ms`,
      met: slow <= MAX_DECISION_MS,
    };
  });
  return {
    title: "One decision",
    how: "The guard's answer to one request, without look-ups of names and without the disk.",
    peer: "",
    rows,
  };
}
