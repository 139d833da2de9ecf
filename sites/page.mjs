/** The frame around every page of the demo sites, and the one style sheet. */

import { readFileSync } from "node:fs";
import { html, send } from "./router.mjs";

const STYLE = readFileSync(new URL("./assets/style.css", import.meta.url), "utf8");

/**
 * @param {{ title: string, site: string, header?: unknown, main: unknown, scripts?: readonly string[] }} parts
 */
export function layout({ title, site, header = null, main, scripts = [] }) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${site}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
${scripts.map((source) => html`<script type="module" src="${source}"></script>`)}
</head>
<body>
<header class="top"><strong>${site}</strong>${header}</header>
<main>${main}</main>
</body>
</html>
`;
}

/**
 * @param {import("./router.mjs").SiteRequest} _request
 * @param {import("./router.mjs").Response} response
 */
export function sendStyle(_request, response) {
  send(response, 200, "text/css; charset=utf-8", STYLE, { "cache-control": "max-age=300" });
}
