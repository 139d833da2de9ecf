import type { Json } from "../test/controls.ts";
import { variants } from "./obedient.ts";
import type { Page, Places, Scenario } from "./scenario.ts";

/** Stand for the ports of a world, so that the same scenario is the same data in each. */
const PLACES: Places = { evilPort: 1, internalPort: 2 };

/** All that decides what plain Chromium does with a scenario, as data. */
export function contentOf({ pages = {}, calls, arrives, parts, untold }: Scenario): Json {
  return {
    pages: Object.entries(pages).map(([address, page]) => [
      address,
      asData(typeof page === "function" ? page(PLACES, new URL(`http://${address}?to=http://evil.test/`)) : page),
    ]),
    calls: calls.map((call) => ("navigate" in call ? { navigate: variants(call.navigate, PLACES) } : { ...call })),
    arrives,
    parts: parts ?? null,
    untold: untold ?? null,
  };
}

function asData({ status = 200, headers = {}, body = "" }: Page): Json {
  return { status, headers, body };
}
