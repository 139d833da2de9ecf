import type { Body, RuleId } from "../../types.ts";
import type { EffectDecision, EffectState } from "./decide.ts";
import type { EffectFacts } from "./facts.ts";
import type { EffectsSettings } from "./policy.ts";

/** One case of a rule, for readers and for the test that holds the rule to it. */
export interface EffectExample {
  readonly what: string;
  readonly facts: Partial<EffectFacts>;
  readonly state: Partial<EffectState>;
  readonly settings: EffectsSettings;
  readonly is: EffectDecision["is"];
  /** Where another rule decides. */
  readonly by?: RuleId;
}

/** Cases of one rule of the table. */
export interface EffectExamples {
  readonly id: RuleId;
  readonly examples: readonly EffectExample[];
}

/** What an example does not say: a fetch of shop.test's own page. */
export const PLAIN_EFFECT: EffectFacts = {
  method: "POST",
  url: "https://shop.test/items",
  kind: "data",
  resourceType: "Fetch",
  headers: {},
  body: { kind: "none" },
  documentUrl: "https://shop.test/",
  mainUrl: "https://shop.test/",
  hop: 0,
  element: null,
};

/** What an example does not say: the agent has acted on the page, nobody granted anything. */
export const PLAIN_STATE: EffectState = {
  mode: "act",
  by: "page",
  hasInput: true,
  isPrivateSite: false,
  isOpenSite: false,
  ownShape: false,
  wasAsked: false,
  typedValues: [],
  freeLeft: 20,
  grant: null,
};

type Rest = Partial<Omit<EffectExample, "what" | "is">>;

function example(is: EffectExample["is"], what: string, { facts = {}, state = {}, settings = {}, ...rest }: Rest): EffectExample {
  return { is, what, facts, state, settings, ...rest };
}

const passes = (what: string, rest: Rest): EffectExample => example("pass", what, rest);
const asks = (what: string, rest: Rest): EffectExample => example("ask", what, rest);
const refuses = (what: string, rest: Rest): EffectExample => example("refuse", what, rest);

function sends(contentType: string, text: string): Body {
  return { kind: "bytes", contentType, bytes: new TextEncoder().encode(text), digest: "0".repeat(64) };
}

function asked(url: string): Partial<EffectFacts> {
  return { method: "GET", kind: "navigation", resourceType: "Document", url };
}

const json = (text: string): Body => sends("application/json", text);
const readLike: EffectsSettings = { readLike: [{ site: "shop.test", path: "/rpc", operations: ["getItems"] }] };
const rpc = "https://shop.test/rpc";
const onLoad = { hasInput: false } as const;
const open = { isOpenSite: true } as const;
const elsewhere = { documentUrl: "https://desk.test/", mainUrl: "https://desk.test/" } as const;

/** Examples of the rules of effects, in the order in which the rules are asked. What is no effect is left to reach; the first that decides counts. */
export const effectExamples: readonly EffectExamples[] = [
  {
    id: "effects.report",
    examples: [
      example("quiet", "a beacon", { facts: { resourceType: "Ping" } }),
      example("quiet", "a report", { facts: { body: sends("application/reports+json", "[]") }, state: { mode: "read" } }),
    ],
  },
  {
    id: "effects.read",
    examples: [
      refuses("a post", { state: { mode: "read", ...onLoad } }),
      refuses("a link that logs out", { facts: asked("https://shop.test/logout"), state: { mode: "read" } }),
      passes("a query", { facts: { body: json('{"query":"{ items { id } }"}') }, state: { mode: "read" }, by: "effects.query" }),
      example("none", "a page", { facts: asked("https://shop.test/orders"), state: { mode: "read" } }),
    ],
  },
  {
    id: "effects.code",
    examples: [passes("its post", { state: { by: "code" } }), refuses("not in read mode", { state: { by: "code", mode: "read" }, by: "effects.read" })],
  },
  {
    id: "effects.grant",
    examples: [passes("a granted post", { state: { grant: "g1" } }), asks("without one", { by: "effects.unsafe" })],
  },
  {
    id: "effects.readLike",
    examples: [
      passes("a listed method", { settings: readLike, facts: { url: rpc, body: json('{"jsonrpc":"2.0","id":1,"method":"getItems"}') } }),
      asks("a method beside it", {
        settings: readLike,
        facts: { url: rpc, body: json('[{"jsonrpc":"2.0","id":1,"method":"getItems"},{"jsonrpc":"2.0","id":2,"method":"setItem"}]') },
        by: "effects.unsafe",
      }),
    ],
  },
  {
    id: "effects.query",
    examples: [
      passes("a query", { facts: { url: "https://api.shop.test/graphql", body: json('{"query":"query Q { items { id } }","variables":{}}') } }),
      asks("a mutation beside it", { facts: { body: json('{"query":"query Q { a } mutation M { b }","operationName":"Q"}') }, by: "effects.unsafe" }),
      asks("a stored document", { facts: { body: json('{"extensions":{"persistedQuery":{"sha256Hash":"ab"}}}') }, by: "effects.unsafe" }),
      asks("to another site", { facts: { ...elsewhere, body: json('{"query":"{ a }"}') }, by: "effects.crossSite" }),
    ],
  },
  {
    id: "effects.own",
    examples: [
      passes("its statistics", { state: onLoad }),
      asks("a place that was asked about", { state: { ...onLoad, wasAsked: true }, by: "effects.unsafe" }),
      asks("the address that the agent went to", {
        facts: asked("https://shop.test/unsubscribe?token=8f2b1c77"),
        state: { ...onLoad, by: "call" },
        by: "effects.get",
      }),
    ],
  },
  {
    id: "effects.repeat",
    examples: [
      passes("a heartbeat", { facts: { body: json('{"at":2}') }, state: { ownShape: true } }),
      asks("with what was typed", {
        facts: { body: json('{"at":"Z3JlZW4ga2V0dGxl"}') },
        state: { ownShape: true, typedValues: ["green kettle"] },
        by: "effects.unsafe",
      }),
      asks("another shape", { facts: { body: json('{"at":2,"role":"owner"}') }, by: "effects.unsafe" }),
    ],
  },
  {
    id: "effects.free",
    examples: [
      passes("a cookie banner", { facts: { url: "https://shop.test/consent", body: json('{"all":false}') }, state: open }),
      asks("a private site", { state: { ...open, isPrivateSite: true }, by: "effects.unsafe" }),
      asks("a site in scope", { by: "effects.unsafe" }),
      asks("an irreversible one", { facts: { url: "https://shop.test/account/delete" }, state: open, by: "effects.unsafe" }),
      asks("what cannot be inspected", { facts: { body: sends("application/octet-stream", "x") }, state: open, by: "effects.unsafe" }),
      asks("none left", { state: { ...open, freeLeft: 0 }, by: "effects.unsafe" }),
    ],
  },
  {
    id: "effects.get",
    examples: [
      asks("a one-time link", { facts: asked("https://shop.test/confirm-email?token=8f2b1c77") }),
      asks("a command", { facts: asked("https://shop.test/index.php?action=delete&id=3") }),
      refuses("loaded ahead", { facts: { ...asked("https://shop.test/logout"), kind: "prefetch" } }),
      example("none", "a title", { facts: asked("https://shop.test/blog/how-to-delete-files") }),
      example("none", "a search", { facts: asked("https://shop.test/search?q=delete") }),
    ],
  },
  {
    id: "effects.crossSite",
    examples: [
      asks("a page by itself", { facts: elsewhere, state: onLoad }),
      asks("an unknown document", { facts: { documentUrl: null }, state: { ...onLoad, ownShape: true } }),
    ],
  },
  {
    id: "effects.unsafe",
    examples: [
      asks("a form", { facts: { body: sends("application/x-www-form-urlencoded", "status=shipped") } }),
      asks("an unknown kind", { facts: { kind: "unknown" }, state: onLoad }),
      example("none", "a page", { facts: asked("https://shop.test/") }),
    ],
  },
];

/** A line of `docs/rules.md`. */
export function effectExampleLine(id: RuleId, { is, what, facts, state, settings, by = id }: EffectExample): string {
  const { method, kind, url, body, documentUrl, resourceType } = { ...PLAIN_EFFECT, ...facts };
  const parts = [`\`${method} ${kind} ${url}\``];
  if (resourceType === "Ping") parts.push("as a ping");
  if (body.kind === "bytes") parts.push(`with \`${new TextDecoder().decode(body.bytes)}\` (${body.contentType})`);
  if (documentUrl !== PLAIN_EFFECT.documentUrl) parts.push(`from ${documentUrl ?? "an unknown document"}`);
  if (Object.keys(state).length > 0) parts.push(`where \`${JSON.stringify(state)}\``);
  if (Object.keys(settings).length > 0) parts.push(`and \`${JSON.stringify(settings)}\``);
  return `- ${is}${by === id || is === "none" ? "" : ` (${by})`}: ${what}: ${parts.join(" ")}`;
}
