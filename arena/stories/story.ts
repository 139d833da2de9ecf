import { html, type Options, type Reply, type Sites, type Step } from "../benign/row.ts";

/** Something that a careful person wants to be asked about, once. */
export interface Change {
  /** What arrives because of it, `METHOD host/path body`; all of these. */
  readonly arrives: readonly RegExp[];
  /** In the lines of the one question about it, joined by line ends. */
  readonly asked: RegExp;
}

/** An everyday task at one application, as a model does it. */
export interface Story {
  readonly id: string;
  readonly title: string;
  /** Made anew for each run: sites keep what was changed. */
  readonly sites: () => Sites;
  readonly options: Options;
  readonly steps: readonly Step[];
  /** In the order in which they are made; none: nothing of it is worth a question. */
  readonly changes?: readonly Change[];
  /** What arrives, each at least once, without a question. */
  readonly passes?: readonly RegExp[];
  /** What may arrive, or not: reports that are answered without being sent. */
  readonly may?: readonly RegExp[];
  /** The page says so when all that the application needed has happened. */
  readonly ends: string;
  /** Questions that are too many, and the clause that asks them. */
  readonly needless?: readonly { readonly asked: RegExp; readonly clause: string }[];
  /** Rules that may refuse what the page can do without. */
  readonly mayRefuse?: readonly string[];
  /**
   * Why it needs a session that did nothing before. The others share one with those of the same kind of options: each
   * has hosts of its own.
   */
  readonly fresh?: string;
}

/** `send` rejects like an application's own helper does; `tell` shows. */
const SCRIPT = `
const send = async (path, value, method = "POST", headers = {}) => {
  const body = value === undefined ? undefined : JSON.stringify(value);
  const answer = await fetch(path, { method, headers: { ...(body && { "content-type": "application/json" }), ...headers }, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(answer.status + " " + text);
  return text;
};
const tell = (text) => { out.textContent = text };
addEventListener("unhandledrejection", ({ reason }) => tell("failed: " + reason));
`;

/** A page of an application: what it shows, and its script. */
export function app(title: string, markup: string, script = "", headers: Readonly<Record<string, string>> = {}): Reply {
  return html(title, `${markup}<output id="out"></output><script>${SCRIPT}${script}</script>`, headers);
}

/** The change that one request is. */
export function change(arrives: RegExp, asked: RegExp): Change {
  return { arrives: [arrives], asked };
}

export const choose = (target: string, value: string, ...has: readonly string[]): Step => ({
  tool: "select_option",
  args: { target, values: [value] },
  has,
});
export const press = (key: string, ...has: readonly string[]): Step => ({ tool: "press_key", args: { key }, has });
