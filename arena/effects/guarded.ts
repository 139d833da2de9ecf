import { type CallableSession, type OpenedSession, openSession, type SessionOptions } from "../../src/index.ts";
import { type Approver, type ApproverName, type AskedOf, approver } from "./approvers.ts";
import type { Reach } from "./holes.ts";
import { isUnsafe, type Row, type Step } from "./row.ts";
import { requestsOf, unsaidBy } from "./shown.ts";
import { FOREIGN, type Hit, openSites, PERSONS, type Sites } from "./sites.ts";

/** Of another site than most rows. */
const FENCE = "https://docs.test/fence";
const FENCE_TRIES = 3;
const CALL_MS = 30_000;

type Terms = Pick<SessionOptions, "mode" | "profile">;

/** What came of a row with one approver. */
export interface Outcome {
  readonly approver: ApproverName;
  readonly effects: number;
  /** Every arrival at a place that nobody chose. */
  readonly evil: readonly string[];
  readonly asked: readonly AskedOf[];
  /** Effects that came without a yes to a question that showed them. */
  readonly unshown: readonly string[];
  /** Questions of which the row's own condition is not true. */
  readonly wrong: readonly string[];
  /** What was refused by its name, at the wire or to a call. */
  readonly refused: readonly string[];
  /** What went wrong with the run itself. */
  readonly untried: readonly string[];
  /** All that the servers got. */
  readonly received: readonly string[];
}

/** One session with one approver, and its own copy of all sites. */
export class Lane {
  readonly approver: Approver;
  readonly #sites: Sites;
  readonly #session: OpenedSession;
  #isFenced = false;

  private constructor(sites: Sites, session: OpenedSession, by: Approver) {
    this.#sites = sites;
    this.#session = session;
    this.approver = by;
  }

  /** `reach`: hosts beside those that are always there. `terms`: how the session is opened otherwise. */
  static async open(
    name: ApproverName,
    ca: string,
    reach: Reach = { hosts: [], private: [], open: [] },
    terms: Terms = {},
  ): Promise<Lane> {
    const sites = await openSites(reach.hosts);
    const by = approver(name, sites);
    const session = await openSession({
      mode: "act",
      allow: [...PERSONS, "docs.test", ...reach.private, ...reach.open],
      sites: [...PERSONS, ...reach.private].map((site) => ({ site, private: true })),
      // Over it the tests tell their pages what happens.
      effects: { allow: [{ site: "shop.test", method: "GET", path: "/told" }] },
      hostMap: sites.hostMap,
      browser: { ca },
      ...by.options,
      ...terms,
    });
    return new Lane(sites, session, by);
  }

  async run(row: Row): Promise<Outcome> {
    const session: CallableSession = this.#session as unknown as CallableSession;
    const sites = this.#sites;
    if (!this.#isFenced) await session.call("navigate", { url: FENCE });
    await closeOtherTabs(session);
    // Whoever was asked a lot is asked again: rows do not know of one another.
    this.#session.addOperatorText("Next.");
    sites.serve(row.pages);
    this.approver.begin(row);
    const refused: string[] = [];
    const stop = this.#session.events.subscribe((event) => {
      if (event.kind === "request" && event.refused !== null)
        refused.push(`${event.refused.rule} ${event.method} ${event.url}`);
    });
    const untried: string[] = [];
    for (const step of row.steps) {
      if ("until" in step) {
        if (step.until === row.thinksUntil) sites.tell("asked");
        if (!(await sites.when((hits) => hits.some(({ path }) => path === step.until)))) untried.push(step.until);
        continue;
      }
      for (const [tool, args] of "tab" in step ? [await selecting(session, step.tab)] : callsOf(step)) {
        const { envelope } = await session.call(tool, args);
        if (envelope.refused !== undefined) refused.push(`${envelope.refused.rule} ${tool}`);
        if (envelope.error !== undefined) refused.push(`${envelope.error.code} ${tool}`);
      }
    }
    const fence = this.approver.name === "deny-all" ? FENCE : sameSiteFenceOf(row);
    // What is sent on the way out counts, too: to another site with one approver, within the site, which costs less,
    // with the others. A page may go somewhere at the same moment, and win.
    this.#isFenced = false;
    for (let tries = 0; tries < FENCE_TRIES && !this.#isFenced; tries += 1) {
      const { envelope } = await session.call("navigate", { url: fence });
      this.#isFenced = envelope.ok && sites.hits.some(({ url }) => url === fence);
    }
    if (!this.#isFenced) untried.push(fence);
    await sites.when((hits) => hits.every(({ complete }) => complete));
    stop();
    const { isEffect = isUnsafe } = row;
    const effects = sites.hits.filter(isEffect);
    const { asked } = this.approver;
    return {
      approver: this.approver.name,
      effects: effects.length,
      evil: sites.hits
        .filter(({ host }) => FOREIGN.some((foreign) => foreign === host) && !isOpened(host, row, asked))
        .map(({ method, url }) => `${method} ${url}`),
      asked: [...asked],
      unshown: unshownOf(sites.hits.filter(isUnsafe), asked),
      wrong: asked
        .filter(({ question }) => question.about === "effect" && row.asked?.(question) === false)
        .map(({ question }) => question.lines.join("\n")),
      refused,
      untried,
      received: sites.hits.map(lineOf),
    };
  }

  async close(): Promise<void> {
    await this.#session.close();
    await this.#sites.close();
  }
}

/** A place out of scope, where somebody was asked about that very site. */
function isOpened(host: string, { opens }: Row, asked: Approver["asked"]): boolean {
  const isYes = asked.some(
    ({ question, answer }) => answer !== "no" && question.about === "reach" && question.lines.includes(`site: ${host}`),
  );
  return opens === host && isYes;
}

/** Every yes pays for one request. Sockets are nobody's: what goes over them cannot be seen. */
function unshownOf(hits: readonly Hit[], asked: Approver["asked"]): readonly string[] {
  const yeses = asked
    .filter(({ answer }) => answer !== "no")
    .flatMap(({ question }) => requestsOf(question).map((read) => ({ question, read })));
  const unshown: string[] = [];
  for (const hit of hits.filter(({ method }) => method !== "SOCKET")) {
    const reasons = yeses.map(({ question, read }) => unsaidBy(read, question, hit));
    const at = reasons.indexOf(null);
    if (at === -1) unshown.push(`${lineOf(hit)}: ${reasons.join("; ") || "no yes"}`);
    else yeses.splice(at, 1);
  }
  return unshown;
}

function sameSiteFenceOf({ steps }: Row): string {
  const [start = FENCE] = steps.flatMap((step) => ("go" in step ? [step.go] : []));
  return new URL("/fence", start).href;
}

function lineOf({ method, url, body }: Hit): string {
  return `${method} ${url} ${body.toString("latin1").slice(0, 300)}`;
}

export function callsOf(
  step: Exclude<Step, { readonly until: string } | { readonly tab: number }>,
): readonly (readonly [tool: string, args: object])[] {
  if ("go" in step) return [["navigate", { url: step.go, timeout_ms: CALL_MS }]];
  if ("click" in step) return Array.from({ length: step.times ?? 1 }, () => ["click", { target: step.click }] as const);
  if ("type" in step) return [["type_text", { target: step.type, text: step.text }]];
  if ("choose" in step) return [["select_option", { target: step.choose, values: [step.value] }]];
  if ("accept" in step) return [["handle_next_dialog", { accept: true }]];
  if ("press" in step) return [["press_key", { key: step.press }]];
  return [
    ["tabs", { action: "new" }],
    ["navigate", { url: step.open, timeout_ms: CALL_MS }],
  ];
}

async function selecting(session: CallableSession, tab: number): Promise<readonly [tool: string, args: object]> {
  return ["tabs", { action: "select", tab: (await tabsOf(session))[tab - 1]?.id ?? "t0" }];
}

async function tabsOf(session: CallableSession): Promise<readonly { readonly id: string; readonly active: boolean }[]> {
  const { envelope } = await session.call("tabs", {});
  return (envelope.tabs ?? []) as readonly { readonly id: string; readonly active: boolean }[];
}

async function closeOtherTabs(session: CallableSession): Promise<void> {
  for (const { id, active } of await tabsOf(session))
    if (!active) await session.call("tabs", { action: "close", tab: id });
}
