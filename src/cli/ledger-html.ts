import { createHash } from "node:crypto";
import { type TimelineLine, visible } from "./ledger-line.ts";

const STYLE = `body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25em .6em;border-bottom:1px solid #ddd}
td.n{font-variant-numeric:tabular-nums;color:#666;white-space:nowrap}
td.w{overflow-wrap:anywhere}
tr.refuse td{background:#fdecea}
tr.open td{background:#fff6d6}
.right{color:#176b2c}.wrong{color:#a11}`;

/** Nothing is loaded and nothing runs, whatever stands in the texts. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;

export function htmlHead(title: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">
<meta name="referrer" content="no-referrer"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
<table><thead><tr><th>seq</th><th>time</th><th>call</th><th>what</th><th>verdict</th><th>rule</th><th>note</th></tr></thead><tbody>
`;
}

export function htmlRow(line: TimelineLine): string {
  const { seq, time, call, what, verdict, rule, note, receipt } = line;
  const row = verdict === "refuse" ? "refuse" : "";
  return `<tr class="${row}" id="${seq}"><td class="n">${seq}</td><td class="n">${escaped(time)}</td><td class="n">${escaped(call)}</td><td class="w" title="${escaped(receipt)}">${escaped(what)}</td><td>${escaped(verdict)}</td><td>${escaped(rule)}</td><td class="w">${escaped(note)}</td></tr>
`;
}

export function htmlFoot(lines: readonly string[], isRight: boolean): string {
  const list = lines.map((line) => `<p class="${isRight ? "right" : "wrong"}">${escaped(line)}</p>`).join("\n");
  return `</tbody></table>
${list}
</body></html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** whatever a page called itself stays text. */
export function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
