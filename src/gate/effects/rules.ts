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

export interface EffectRule {
  readonly id: RuleId;
  /** One sentence without its full stop. */
  readonly says: string;
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

/** The rules of effects in the order in which they are asked. What is no effect is left to reach; the first that decides counts. */
export const effectRules: readonly EffectRule[] = [
  {
    id: "effects.report",
    says: "Beacons, pings and reports are answered without being sent",
    examples: [
      example("quiet", "a beacon", { facts: { resourceType: "Ping" } }),
      example("quiet", "a report", { facts: { body: sends("application/reports+json", "[]") }, state: { mode: "read" } }),
    ],
  },
  {
    id: "effects.read",
    says: "In read mode nothing that may change something leaves, but what is listed as readLike and GraphQL queries",
    examples: [
      refuses("a post", { state: { mode: "read", ...onLoad } }),
      refuses("a link that logs out", { facts: asked("https://shop.test/logout"), state: { mode: "read" } }),
      passes("a query", { facts: { body: json('{"query":"{ items { id } }"}') }, state: { mode: "read" }, by: "effects.query" }),
      example("none", "a page", { facts: asked("https://shop.test/orders"), state: { mode: "read" } }),
    ],
  },
  {
    id: "effects.code",
    says: "What the operator's own program does in the page passes, and is recorded",
    examples: [passes("its post", { state: { by: "code" } }), refuses("not in read mode", { state: { by: "code", mode: "read" }, by: "effects.read" })],
  },
  {
    id: "effects.grant",
    says: "What a grant permits passes: an entry of effects.allow, or an answer",
    examples: [passes("a granted post", { state: { grant: "g1" } }), asks("without one", { by: "effects.unsafe" })],
  },
  {
    id: "effects.readLike",
    says: "What the operator lists in effects.readLike passes, of JSON-RPC and GraphQL only where every call in the request is listed",
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
    says: "GraphQL that holds queries and nothing else passes within its site; stored documents are not known, so they do not",
    examples: [
      passes("a query", { facts: { url: "https://api.shop.test/graphql", body: json('{"query":"query Q { items { id } }","variables":{}}') } }),
      asks("a mutation beside it", { facts: { body: json('{"query":"query Q { a } mutation M { b }","operationName":"Q"}') }, by: "effects.unsafe" }),
      asks("a stored document", { facts: { body: json('{"extensions":{"persistedQuery":{"sha256Hash":"ab"}}}') }, by: "effects.unsafe" }),
      asks("to another site", { facts: { ...elsewhere, body: json('{"query":"{ a }"}') }, by: "effects.crossSite" }),
    ],
  },
  {
    id: "effects.own",
    says: "What a page sends to its own site by itself, where no input of the agent is behind it, passes, unless that place was asked about before",
    examples: [
      passes("its statistics", { state: onLoad }),
      asks("a place that was asked about", { state: { ...onLoad, wasAsked: true }, by: "effects.unsafe" }),
      asks("the address that the agent went to", {
        facts: asked("https://shop.test/unsubscribe?token=8f2b1c77"),
        state: { ...onLoad, by: "call" },
        by: "effects.get",
      }),
      asks("with another method inside", { facts: { headers: { "X-HTTP-Method-Override": "PUT" } }, state: onLoad, by: "effects.unsafe" }),
    ],
  },
  {
    id: "effects.repeat",
    says: "What a page sent by itself before the agent's first input, it may repeat: same place, fields and commands, no value that the agent put in, nothing irreversible",
    examples: [
      passes("a heartbeat", { facts: { body: json('{"at":2}') }, state: { ownShape: true } }),
      asks("with what was typed", {
        facts: { body: json('{"at":"Z3JlZW4ga2V0dGxl"}') },
        state: { ownShape: true, typedValues: ["green kettle"] },
        by: "effects.unsafe",
      }),
      asks("another shape", { facts: { body: json('{"at":2,"role":"owner"}') }, by: "effects.unsafe" }),
      asks("what cannot be taken back", { facts: { url: "https://shop.test/items/3/delete" }, state: { ownShape: true }, by: "effects.unsafe" }),
      asks("with another method inside", {
        facts: { body: sends("application/x-www-form-urlencoded", "at=2&_method=PUT") },
        state: { ownShape: true },
        by: "effects.unsafe",
      }),
    ],
  },
  {
    id: "effects.free",
    says: "On an open site that holds nothing of a person a first-party request without typed values and without a sign of being irreversible passes, a limited number of times",
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
    says: "Addresses that by their form do something (a verb with an id, a one-time token or a command, another method inside) are asked about, and refused where a page only loads ahead",
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
    says: "Requests with an unsafe method to another site than that of the document that sends them are asked about, unless they are granted or listed",
    examples: [
      asks("a page by itself", { facts: elsewhere, state: onLoad }),
      asks("an unknown document", { facts: { documentUrl: null }, state: { ...onLoad, ownShape: true } }),
    ],
  },
  {
    id: "effects.unsafe",
    says: "Every other request with a method but GET, HEAD and OPTIONS is asked about",
    examples: [
      asks("a form", { facts: { body: sends("application/x-www-form-urlencoded", "status=shipped") } }),
      asks("an unknown kind", { facts: { kind: "unknown" }, state: onLoad }),
      example("none", "a page", { facts: asked("https://shop.test/") }),
    ],
  },
];

/** The second part of `docs/rules.md`. */
export function effectRulesPart(): string {
  return [
    "# Rules of effects",
    "",
    "Generated from `src/gate/effects/rules.ts`. Every example is a test.",
    "",
    "Asked in this order, after reach; the first that decides counts. What changes nothing, by its method and its address, is left to reach (`none`). Where nothing else is said, the agent has acted on the page of shop.test that sends the request, in the mode `act`.",
    "",
    "Lists of verbs only make more be asked: what a method or another rule holds does not pass because a word is not in them. For addresses asked by GET they and the form of the address are all there is, so a site that hides what an address does is not found by them. What a request changes is `irreversible` by any sign of it, `reversible` where it is plainly so, else `unknown`; nothing passes for being reversible.",
    "",
    ...effectRules.flatMap(({ id, says, examples }) => [`## ${id}`, "", `${says}.`, "", ...examples.map((one) => exampleLine(id, one)), ""]),
    "## Beside them",
    "",
    "- `effects.failed`: what cannot be judged is refused.",
    "",
  ].join("\n");
}

function exampleLine(id: RuleId, { is, what, facts, state, settings, by = id }: EffectExample): string {
  const { method, kind, url, headers, body, documentUrl, resourceType } = { ...PLAIN_EFFECT, ...facts };
  const parts = [`\`${method} ${kind} ${url}\``];
  if (resourceType === "Ping") parts.push("as a ping");
  for (const [name, value] of Object.entries(headers)) parts.push(`with \`${name}: ${value}\``);
  if (body.kind === "bytes") parts.push(`with \`${new TextDecoder().decode(body.bytes)}\` (${body.contentType})`);
  if (documentUrl !== PLAIN_EFFECT.documentUrl) parts.push(`from ${documentUrl ?? "an unknown document"}`);
  if (Object.keys(state).length > 0) parts.push(`where \`${JSON.stringify(state)}\``);
  if (Object.keys(settings).length > 0) parts.push(`and \`${JSON.stringify(settings)}\``);
  return `- ${is}${by === id || is === "none" ? "" : ` (${by})`}: ${what}: ${parts.join(" ")}`;
}
