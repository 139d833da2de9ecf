import { CLOSED } from "../options.ts";
import type { Page, Places, Scenario } from "../scenario.ts";

const STAYS = "words that stay";
const page = (markup: string, script = ""): Page => ({
  body: `<!doctype html><html lang="en"><head><title>start</title><link rel="icon" href="data:,"></head><body><p>${STAYS}</p>${markup}<script>${script}</script></body></html>`,
});
const hop =
  (to: (at: Places) => string, status: number) =>
  (at: Places): Page => ({ status, headers: { location: to(at) } });

const STEPS: readonly (readonly [string, Page, string | null])[] = [
  ["navigation", page(`<a href="/hop">Go</a>`), `link "Go"`],
  ["image", page(`<img alt="" src="/hop">`), null],
  ["fetch", page("", `fetch("/hop", { mode: "no-cors" }).catch(() => {})`), null],
  ["iframe", page(`<iframe src="/hop"></iframe>`), null],
  ["form post", page(`<form method="post" action="/hop"><input name="a" value="1"><button>Go</button></form>`), `button "Go"`],
  ["popup", page(`<button onclick="window.open('/hop')">Go</button>`), `button "Go"`],
];

const ENDS = [
  ["a refused site", "evil", () => "http://evil.test/sent-on"],
  ["127.0.0.1", "internal", ({ internalPort }: Places) => `http://127.0.0.1:${internalPort}/sent-on`],
] as const;

export const redirects: readonly Scenario[] = ENDS.flatMap(([where, arrives, to]) =>
  STEPS.flatMap(([how, start, press]) =>
    [302, 307].map(
      (status): Scenario => ({
        id: "A-97",
        title: `${how}, sent on by ${status} to ${where}`,
        pages: { "shop.test/start": start, "shop.test/hop": hop(to, status) },
        calls: [{ navigate: "http://shop.test/start" }, ...(press === null ? [] : [{ click: press }])],
        arrives,
        options: CLOSED,
        refused: "reach.",
        stays: STAYS,
      }),
    ),
  ),
);
