import type { Envelope } from "../types.ts";

/**
 * What could end a line, hide or reorder words in a terminal or a model's eyes: controls, format characters, line and
 * paragraph separators.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const UNSAFE_RUN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** An address in printable ASCII without spaces or quotes needs no quotes to stay one word. */
const PLAIN_URL = /^[a-z][a-z0-9+.-]*:[!#-~]*$/i;

/**
 * JSON on one line; JSON.stringify alone leaves U+0085, U+2028 and their like as they are. Null when there is no JSON
 * of it.
 */
export function jsonLine(value: unknown): string | null {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return null;
  return json.replace(UNSAFE, (character) => {
    let escaped = "";
    for (let unit = 0; unit < character.length; unit++)
      escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}

/** Our own fixed words, kept to one line even if something slipped into them. */
export function oneLine(words: string): string {
  return words.replace(UNSAFE_RUN, " ").trim();
}

const quoted = (text: string): string => jsonLine(text) ?? '""';
const key = (name: string): string => (IDENTIFIER.test(name) ? name : quoted(name));
const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`);

function fields(of: Readonly<Record<string, unknown>>, left: readonly string[]): [string, string][] {
  return Object.entries(of).flatMap(([name, value]): [string, string][] => {
    const json = left.includes(name) ? null : jsonLine(value);
    return json === null ? [] : [[key(name), json]];
  });
}

function eventLine(event: Readonly<Record<string, unknown>>): string {
  const kind = typeof event.kind === "string" ? key(event.kind) : "unknown";
  return ["event:", kind, ...fields(event, ["kind"]).map(([name, json]) => `${name}=${json}`)].join(" ");
}

function refusedLines(refused: NonNullable<Envelope["refused"]>): string[] {
  const { rule, reason, remedy, operator, site, ...rest } = refused;
  const where = site === undefined ? rule : `${rule}, ${site}`;
  const lines = [oneLine(`refused (${where}): ${sentence(oneLine(reason))} ${remedy}`)];
  if (operator !== undefined) lines.push(oneLine(`operator: ${operator}`));
  return [...lines, ...fields(rest, []).map(([name, json]) => `${name}: ${json}`)];
}

/**
 * The envelope as compact lines, complete without the JSON beside it. What decides how to read the rest comes first.
 * All that may hold a page's words is JSON-quoted on its own line; only the snapshot, which `page/` has rendered, spans
 * lines.
 */
export function envelopeText(envelope: Envelope): string {
  const { ok, page, changed, snapshot, refused, error, events, receipt, ...rest } = envelope;
  const lines: string[] = [];
  if (refused) lines.push(...refusedLines(refused));
  if (error) lines.push(oneLine(`error (${error.code}): ${error.message}`));
  if (!ok && !refused && !error) lines.push("ok: false");
  if (page)
    lines.push(
      `page: ${quoted(page.title)} ${PLAIN_URL.test(page.url) ? page.url : quoted(page.url)} (${oneLine(page.tab)})`,
    );
  if (changed !== undefined) lines.push(oneLine(`changed: ${changed}`));
  if (snapshot !== undefined) lines.push(snapshot.replace(/\n+$/, ""));
  for (const event of events ?? []) lines.push(eventLine(event));
  for (const [name, json] of fields(rest, [])) lines.push(`${name}: ${json}`);
  if (lines.length === 0) lines.push("ok");
  if (receipt !== undefined) lines.push(oneLine(`receipt: ${receipt}`));
  return lines.join("\n");
}
