import { linkAddress } from "./address.ts";
import type { JoinedFrame, JoinedNode, RefOf } from "./joined.ts";
import { head, quote, quoteName, quoteText } from "./quote.ts";

export const NAME_MAX_CHARACTERS = 80;
export const TEXT_MAX_CHARACTERS = 500;
const REST_MAX_CHARACTERS = 300;
const CELL_TEXT_MAX_CHARACTERS = 160;
const VALUE_MAX_CHARACTERS = 120;
const OPTIONS_MAX_CHARACTERS = 300;

const FIELDS = new Set(["textbox", "searchbox", "combobox", "spinbutton", "listbox"]);
const ROLE = /^[a-z]{1,24}$/;
const STATE = /^(?:[a-z]{1,16}|level [1-9])$/;
const CELLS = new Set(["cell", "columnheader", "rowheader"]);

/** The cursor at which the text of a line goes on; null for none. */
export type TextCursor = (key: string, offset: number) => string | null;

/** What one rendering remembers while it writes lines. */
export class Writer {
  readonly #refOf: RefOf;
  readonly #textCursor: TextCursor | null;
  readonly shown: { readonly ref: ReturnType<RefOf>; readonly frameKey: string; readonly id: number }[] = [];
  readonly #options = new Map<string, string>();

  constructor(refOf: RefOf, textCursor: TextCursor | null) {
    this.#refOf = refOf;
    this.#textCursor = textCursor;
  }

  /**
   * A node without its children. `address: false` leaves out an address within the same site, `brief` the options that
   * were listed before.
   */
  own(node: JoinedNode, frame: JoinedFrame, address = true, brief = false, textMax = TEXT_MAX_CHARACTERS): string {
    if (node.role === "text") return `${quoteText(node.name ?? "", textMax)}${states(node)}`;
    const role = ROLE.test(node.role) ? node.role : "element";
    const ref = node.act === true && node.id !== undefined ? this.#ref(frame.key, node, node.id) : null;
    let line = ref === null ? role : `${ref} ${role}`;
    if (node.name !== undefined && node.name !== "" && !repeatsItsOnlyChild(node))
      line += ` ${quoteName(node.name, NAME_MAX_CHARACTERS)}${node.nonvisual === true ? " (label)" : ""}${restOfName(node)}`;
    if (node.secret !== undefined) line += node.secret.filled ? " = (secret)" : " = (empty)";
    else if (node.value !== undefined)
      line += node.value === "" ? " = (empty)" : ` = ${quoteName(node.value, VALUE_MAX_CHARACTERS)}`;
    if (node.options !== undefined) line += brief ? " (options as before)" : this.#choices(node.options, ref);
    if (node.href !== undefined) {
      const target = linkAddress(node.href, frame.seen.url);
      if (target !== null && (address || target.foreign)) line += ` to ${quote(target.text)}`;
    }
    return line + states(node);
  }

  /** The start of a text that does not fit on a line, with the way to the rest. */
  longText(node: JoinedNode, key: string): string {
    return `${this.partOfText(node, key, 0, head(node.name ?? "", TEXT_MAX_CHARACTERS).length)}${states(node)}`;
  }

  partOfText(node: JoinedNode, key: string, offset: number, length: number): string {
    const words = node.name ?? "";
    const end = offset + length;
    const part = quote(words.slice(offset, end));
    if (end >= words.length) return part;
    const cursor = this.#textCursor?.(key, end) ?? null;
    return `${part}…(+${words.length - end} chars${cursor === null ? "" : `: cursor ${cursor}`})`;
  }

  /** A section on one line: its ref, so that it can be looked at, and what is known of its inside in our words. */
  section(node: JoinedNode, frame: JoinedFrame, about: string): string {
    const own = this.own({ ...node, act: true }, frame);
    return about === "" ? own : `${own} (${about})`;
  }

  /** A node with all that is in it, on one line. */
  inline(node: JoinedNode, frame: JoinedFrame, address = true): string {
    const parts = [
      node.role === "text" || !isTransparent(node)
        ? this.own(node, frame, address, false, CELL_TEXT_MAX_CHARACTERS)
        : "",
    ];
    for (const child of node.children ?? []) parts.push(this.inline(child, frame, address));
    if (node.more !== undefined) parts.push(`(+${node.more} more)`);
    return parts.filter((part) => part !== "").join(" ");
  }

  /** A table row. `addressed` holds the columns whose links were shown with their address before. */
  row(row: JoinedNode, frame: JoinedFrame, addressed: ReadonlySet<number>): string {
    const cells = row.children ?? [];
    const columns = cells.length > 0 && cells.every((cell) => cell.role === "columnheader");
    const written = cells.map((cell, index) => this.#cell(cell, frame, !addressed.has(index)));
    const start =
      row.act === true && row.id !== undefined
        ? `${this.#ref(frame.key, row, row.id)} row`
        : columns
          ? "columns"
          : "row";
    return `${start} ${inList(written)}${states(row)}${row.more === undefined ? "" : ` (+${row.more} more)`}`;
  }

  #cell(cell: JoinedNode, frame: JoinedFrame, address: boolean): string {
    if (!CELLS.has(cell.role)) return this.inline(cell, frame, address);
    const parts: string[] = [];
    if (cell.act === true && cell.id !== undefined) parts.push(`${this.#ref(frame.key, cell, cell.id)} cell`);
    if (cell.name !== undefined && cell.name !== "") parts.push(quoteText(cell.name, CELL_TEXT_MAX_CHARACTERS));
    for (const child of cell.children ?? []) parts.push(this.inline(child, frame, address));
    if (cell.more !== undefined) parts.push(`(+${cell.more} more)`);
    return parts.length === 0 ? "-" : parts.join(" ");
  }

  #ref(frameKey: string, node: JoinedNode, id: number): string {
    const ref = this.#refOf(frameKey, { id, role: node.role, name: node.name ?? "" });
    this.shown.push({ ref, frameKey, id });
    return ref;
  }

  /** The same list is written out once. */
  #choices(options: { readonly labels: readonly string[]; readonly total: number }, ref: string | null): string {
    const labels: string[] = [];
    let length = 0;
    for (const label of options.labels) {
      const quoted = quoteName(label, NAME_MAX_CHARACTERS);
      length += quoted.length;
      if (labels.length > 0 && length > OPTIONS_MAX_CHARACTERS) break;
      labels.push(quoted);
    }
    if (labels.length === 0) return "";
    const rest = options.total - labels.length;
    const list = `${labels.join(", ")}${rest > 0 ? `, +${rest} more` : ""}`;
    const same = this.#options.get(list);
    if (same !== undefined) return ` (options as ${same})`;
    if (ref !== null) this.#options.set(list, ref);
    return ` (options: ${list})`;
  }
}

function states(node: JoinedNode): string {
  const told = (node.states ?? []).filter(
    (state) => STATE.test(state) && (state !== "focused" || FIELDS.has(node.role)),
  );
  return told.length === 0 ? "" : ` [${told.join(", ")}]`;
}

/** Cells apart by commas: between quotes a comma alone, which costs one token where a bar costs three. */
const inList = (cells: readonly string[]): string =>
  cells.reduce((line, cell, index) => (index === 0 ? cell : `${line},${cell.startsWith('"') ? "" : " "}${cell}`), "");

/** Whole cards are links: what their name was cut off of is told as well, it is what the page says. */
function restOfName(node: JoinedNode): string {
  const rest =
    node.nonvisual === true ? "" : (node.name ?? "").slice(head(node.name ?? "", NAME_MAX_CHARACTERS).length);
  return rest === "" ? "" : ` then ${quoteText(rest, REST_MAX_CHARACTERS)}`;
}

/** A heading that is one link is told by its link. */
const repeatsItsOnlyChild = (node: JoinedNode): boolean =>
  node.children?.length === 1 && node.children[0]?.name === node.name;

/** On one line, containers without a name add nothing. */
const isTransparent = (node: JoinedNode): boolean =>
  node.act !== true &&
  (node.name === undefined || node.name === "") &&
  node.value === undefined &&
  node.role !== "heading" &&
  node.role !== "frame";

export const isLongText = (node: JoinedNode): boolean =>
  node.role === "text" && (node.name?.length ?? 0) > TEXT_MAX_CHARACTERS;

export function holdsLink(node: JoinedNode): boolean {
  return node.href !== undefined || (node.children ?? []).some(holdsLink);
}
