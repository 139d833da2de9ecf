import type { Ref } from "../../types.ts";
import { type JoinedFrame, type JoinedNode, plainWords, type RefOf } from "./joined.ts";

export type Query =
  | { readonly text: string }
  | { readonly role?: string | undefined; readonly name?: string | undefined };

/** One thing that was found, with what it stands in. Words are the page's. */
export interface Match {
  readonly ref?: Ref;
  readonly role?: string;
  readonly name?: string;
  /** Words around the match, for bare text. */
  readonly text?: string;
  /** The row or item, or else the section or the heading above. */
  readonly in?: string;
  /** What can be acted on in that row or item. */
  readonly refs?: readonly string[];
}

const EXCERPT_CHARS = 160;
const CONTEXT_CHARS = 120;
const HOLDERS = new Set(["row", "listitem"]);
/** A sentence with links in it is several nodes; more of them than these are none. */
const MAX_RUN_NODES = 12;
const INLINE = new Set(["text", "link", "button", "clickable", "img"]);
const SECTIONS = new Set([
  "main",
  "navigation",
  "banner",
  "contentinfo",
  "complementary",
  "region",
  "form",
  "search",
  "dialog",
  "alertdialog",
  "group",
  "article",
  "table",
  "list",
  "menu",
]);

interface Context {
  readonly holder: JoinedNode | null;
  readonly section: string | null;
  /** The heading above, as one reads. */
  heading: string | null;
}

/**
 * Everything that matches, in reading order; role and name exactly, text anywhere in a name, value or run of words
 * (case does not count).
 */
export function findIn(frame: JoinedFrame, query: Query, refOf: RefOf): readonly Match[] {
  const matches: Match[] = [];
  const reported = new Set<JoinedNode>();
  const wanted = "text" in query ? fold(query.text) : null;
  const called = "text" in query ? {} : query;

  const visit = (nodes: readonly JoinedNode[], inside: JoinedFrame, context: Context): void => {
    const runs = wanted === null || context.holder !== null ? [] : runsWith(nodes, wanted);
    for (const node of nodes) {
      for (const run of runs) if (run[0] === node) reportRun(run, inside, context);
      if (node.role === "heading") context.heading = node.name ?? context.heading;
      const holder = HOLDERS.has(node.role) ? node : context.holder;
      if (wanted !== null ? holdsOwn(node, wanted) : isCalled(node, called))
        report(node, inside, { ...context, holder });
      // A text that a row's cells share is the row's.
      else if (
        wanted !== null &&
        node === holder &&
        wordsOf(node).includes(wanted) &&
        !(node.children ?? []).some((child) => wordsOf(child).includes(wanted))
      )
        report(node, inside, { ...context, holder });
      const section = SECTIONS.has(node.role) ? (node.name ?? context.section) : context.section;
      visit(node.children ?? [], inside, { holder, section, heading: context.heading });
      if (node.frame !== undefined && "nodes" in node.frame)
        visit(node.frame.nodes, node.frame, { holder: null, section: null, heading: null });
    }
  };

  const reportRun = (run: readonly JoinedNode[], inside: JoinedFrame, { section, heading }: Context): void => {
    const refs = run.flatMap((node) => actionsIn(node, inside, refOf));
    const around = section ?? heading;
    const text = excerpt(run.map(({ name }) => name ?? "").join(" "), wanted);
    matches.push({
      text,
      ...(around !== null && around !== "" && { in: cut(around, CONTEXT_CHARS) }),
      ...(refs.length > 0 && { refs }),
    });
  };

  const report = (node: JoinedNode, inside: JoinedFrame, context: Context): void => {
    const { holder } = context;
    const refs = holder === null ? [] : actionsIn(holder, inside, refOf);
    const around = holder === null ? (context.section ?? context.heading) : plainWords(holder);
    if (wanted !== null && holder !== null) {
      if (reported.has(holder)) return;
      reported.add(holder);
      matches.push({ in: cut(plainWords(holder), CONTEXT_CHARS), ...(refs.length > 0 && { refs }) });
      return;
    }
    const own =
      node.act === true && node.id !== undefined
        ? {
            ref: refOf(inside.key, { id: node.id, role: node.role, name: node.name ?? "" }),
            role: node.role,
            name: cut(node.name ?? "", CONTEXT_CHARS),
          }
        : describeBare(node, wanted);
    matches.push({
      ...own,
      ...(around !== null && around !== "" && around !== node.name && { in: cut(around, CONTEXT_CHARS) }),
    });
  };

  visit(frame.nodes, frame, { holder: null, section: null, heading: null });
  return matches;
}

/** Neighbours on one line whose words hold the text together and not alone: the fewest of them. */
function runsWith(nodes: readonly JoinedNode[], wanted: string): readonly (readonly JoinedNode[])[] {
  const words = nodes.map((node) => (isInline(node) ? close(node.name ?? "") : null));
  const text = close(wanted);
  const runs: (readonly JoinedNode[])[] = [];
  for (let start = 0; start < nodes.length; start += 1) {
    let joined = words[start] ?? null;
    for (let end = start + 1; joined !== null && end < Math.min(nodes.length, start + MAX_RUN_NODES); end += 1) {
      const next = words[end] ?? null;
      joined = next === null ? null : joined + next;
      if (joined?.includes(text) !== true) continue;
      if (!joined.slice(words[start]?.length).includes(text) && words[end]?.includes(text) !== true) {
        runs.push(nodes.slice(start, end + 1));
        start = end;
      }
      break;
    }
  }
  return runs;
}

const isInline = (node: JoinedNode): boolean =>
  node.name !== undefined && node.nonvisual !== true && INLINE.has(node.role);
const close = (words: string): string => fold(words).replaceAll(" ", "");

function describeBare(node: JoinedNode, wanted: string | null): Match {
  const words = node.name ?? "";
  return node.role === "text" || node.role === "paragraph"
    ? { text: excerpt(words, wanted) }
    : { role: node.role, name: excerpt(words, wanted) };
}

function excerpt(words: string, wanted: string | null): string {
  const at = wanted === null ? 0 : Math.max(0, words.toLowerCase().indexOf(wanted));
  const start = Math.max(0, at - EXCERPT_CHARS / 2);
  const end = Math.min(words.length, start + EXCERPT_CHARS);
  return `${start > 0 ? "…" : ""}${words.slice(start, end)}${end < words.length ? "…" : ""}`;
}

function isCalled(
  node: JoinedNode,
  query: { readonly role?: string | undefined; readonly name?: string | undefined },
): boolean {
  if (query.role !== undefined && node.role !== query.role) return false;
  if (query.name !== undefined && fold(node.name ?? "") !== fold(query.name)) return false;
  return query.role !== undefined || query.name !== undefined;
}

function holdsOwn(node: JoinedNode, wanted: string): boolean {
  return fold(`${node.name ?? ""} ${node.value ?? ""}`).includes(wanted);
}

function actionsIn(holder: JoinedNode, inside: JoinedFrame, refOf: RefOf): readonly string[] {
  const found: string[] = [];
  const visit = (node: JoinedNode): void => {
    if (node.act === true && node.id !== undefined)
      found.push(
        `${refOf(inside.key, { id: node.id, role: node.role, name: node.name ?? "" })} ${node.role} ${JSON.stringify(cut(node.name ?? "", CONTEXT_CHARS))}`,
      );
    for (const child of node.children ?? []) visit(child);
  };
  visit(holder);
  return found;
}

function wordsOf(node: JoinedNode): string {
  return fold(plainWords(node));
}

function fold(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().toLowerCase();
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
