import type { Body, RuleId, Site } from "../../types.ts";
import type { EffectDecision, EffectState } from "./decide.ts";
import type { EffectFacts } from "./facts.ts";
import type { EffectsSettings } from "./policy.ts";
import type { TypedText } from "./typed.ts";

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

/** Cases of one rule of the table (`src/rules/effects.ts`). */
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
  isPrivateSite: true,
  element: null,
};

/** What an example does not say: the agent has acted on a page of a private site, nobody granted anything. */
export const PLAIN_STATE: EffectState = {
  mode: "act",
  by: "page",
  isStrict: false,
  isPrivate: true,
  isPrivateDocument: true,
  isTouched: true,
  isByInput: true,
  isChosen: true,
  isNamedHost: true,
  isClosed: false,
  typed: [],
  hasUnseen: false,
  isLearned: false,
  isKnownForm: false,
  knowsSlot: () => false,
  isGraphqlPlace: false,
  isFollowing: false,
  isOwnDraft: false,
  isSigningIn: false,
  freeLeft: 50,
  grant: null,
};

type Rest = Partial<Omit<EffectExample, "what" | "is">>;

function example(
  is: EffectExample["is"],
  what: string,
  { facts = {}, state = {}, settings = {}, ...rest }: Rest,
): EffectExample {
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
const form = (text: string): Body => sends("application/x-www-form-urlencoded", text);
const readLike: EffectsSettings = { readLike: [{ site: "shop.test", path: "/rpc", operations: ["getItems"] }] };
const rpc = "https://shop.test/rpc";
const onLoad = { isByInput: false, isTouched: false } as const;
const onPublic = { isPrivate: false, isPrivateDocument: false } as const;
const elsewhere = { documentUrl: "https://desk.test/", mainUrl: "https://desk.test/" } as const;
const text = (words: string, more: Partial<TypedText> = {}): TypedText => ({
  text: words,
  site: "shop.test" as Site,
  isSearch: false,
  isChosen: false,
  isSecret: false,
  isShown: false,
  ...more,
});
const kettle = { typed: [text("green kettle")] } as const;

/**
 * Examples of the rules of effects, in the order in which the rules are asked. What is no effect is left to reach; the
 * first that decides counts.
 */
export const effectExamples: readonly EffectExamples[] = [
  {
    id: "effects.report",
    examples: [
      example("quiet", "a beacon", { facts: { resourceType: "Ping" } }),
      example("quiet", "a report", {
        facts: { body: sends("application/reports+json", "[]") },
        state: { mode: "read" },
      }),
    ],
  },
  {
    id: "effects.denied",
    examples: [refuses("a queue that tries again", { state: { isClosed: true, ...onLoad } })],
  },
  {
    id: "effects.readMode",
    examples: [
      refuses("a post", { state: { mode: "read", ...onLoad } }),
      refuses("a link that logs out", { facts: asked("https://shop.test/logout"), state: { mode: "read" } }),
      passes("a search", {
        facts: { url: "https://shop.test/api/search", body: json('{"q":"kettle"}') },
        state: { mode: "read" },
        by: "effects.reads",
      }),
      example("none", "a page", { facts: asked("https://shop.test/orders"), state: { mode: "read" } }),
    ],
  },
  {
    id: "effects.code",
    examples: [
      passes("its post", { state: { by: "code" } }),
      refuses("not in read mode", { state: { by: "code", mode: "read" }, by: "effects.readMode" }),
    ],
  },
  {
    id: "effects.grant",
    examples: [passes("a granted post", { state: { grant: "g1" } }), asks("without one", { by: "effects.private" })],
  },
  {
    id: "effects.readLike",
    examples: [
      passes("a listed method", {
        settings: readLike,
        facts: { url: rpc, body: json('{"jsonrpc":"2.0","id":1,"method":"getItems"}') },
      }),
      asks("a method beside it", {
        settings: readLike,
        facts: {
          url: rpc,
          body: json('[{"jsonrpc":"2.0","id":1,"method":"getItems"},{"jsonrpc":"2.0","id":2,"method":"setItem"}]'),
        },
        by: "effects.private",
      }),
    ],
  },
  {
    id: "effects.ahead",
    examples: [
      example("quiet", "a picture", {
        facts: { ...asked("https://shop.test/logout.php"), kind: "subresource", resourceType: "Image" },
      }),
      example("quiet", "a link loaded ahead", {
        facts: { ...asked("https://shop.test/orders/3/refund"), kind: "prefetch" },
      }),
    ],
  },
  {
    id: "effects.get",
    examples: [
      asks("a one-time link", { facts: asked("https://shop.test/confirm-email?token=8f2b1c77"), state: onPublic }),
      asks("a command", { facts: asked("https://shop.test/index.php?a=delete&id=3") }),
      asks("in camel case", { facts: asked("https://shop.test/removeUser.do?userId=5") }),
      example("none", "on a public site", {
        facts: asked("https://shop.test/index.php?a=delete&id=3"),
        state: onPublic,
      }),
      example("none", "a title", { facts: asked("https://shop.test/blog/how-to-delete-files") }),
      example("none", "a search", { facts: asked("https://shop.test/search?q=delete") }),
    ],
  },
  {
    id: "effects.signIn",
    examples: [
      passes("the second step", {
        facts: { url: "https://shop.test/login/password", body: form("password=x") },
        state: { isSigningIn: true },
      }),
    ],
  },
  {
    id: "effects.crossSite",
    examples: [
      asks("a page by itself", { facts: elsewhere, state: onLoad }),
      asks("an unknown document", { facts: { documentUrl: null }, state: { ...onLoad, isLearned: true } }),
      passes("of a public page to a public site, without a sign-in", {
        facts: elsewhere,
        state: { ...onPublic, isChosen: false },
        by: "effects.plain",
      }),
    ],
  },
  {
    id: "effects.elsewhere",
    examples: [
      refuses("statistics of a private page", {
        facts: elsewhere,
        state: { isPrivate: false, isChosen: false, ...onLoad },
      }),
    ],
  },
  {
    id: "effects.host",
    examples: [
      asks("a user's page under the same domain", {
        facts: { documentUrl: "https://ugc.shop.test/" },
        state: { isNamedHost: false, ...onLoad },
      }),
    ],
  },
  {
    id: "effects.typed",
    examples: [
      asks("a comment", {
        facts: { url: "https://shop.test/comments", body: json('{"body":"green kettle"}') },
        state: { ...kettle, ...onPublic },
      }),
      asks("in other words", {
        facts: { url: "https://shop.test/comments", body: json('{"body":"Z3JlZW4ga2V0dGxl!"}') },
        state: { ...kettle, ...onPublic },
      }),
      passes("a search", {
        facts: { url: "https://shop.test/api/search", body: json('{"q":"green kettle"}') },
        state: kettle,
        by: "effects.reads",
      }),
      asks("a letter", {
        facts: { body: json('{"grade":"B"}') },
        state: { typed: [text("b", { isShown: true })], ...onPublic },
      }),
      passes("a letter among others, in what a page sends as it loads", {
        facts: { body: json('{"view":"board"}') },
        state: { typed: [text("b")], ...onLoad },
        by: "effects.own",
      }),
      passes("a quantity", {
        facts: { url: "https://shop.test/cart/add", body: json('{"qty":"12"}') },
        state: { typed: [text("12")], ...onPublic },
        by: "effects.plain",
      }),
      asks("a password, whatever it is called", {
        facts: { url: "https://shop.test/api/search", body: json('{"q":"pw"}') },
        state: { typed: [text("pw", { isSecret: true })] },
      }),
      asks("what cannot be inspected", { facts: { body: sends("application/octet-stream", "x") } }),
    ],
  },
  {
    id: "effects.reads",
    examples: [
      passes("a method", { facts: { url: "https://shop.test/service.svc?action=GetItems" } }),
      passes("a query", {
        facts: {
          url: "https://api.shop.test/graphql",
          body: json('{"query":"query Q { items { id } }","variables":{}}'),
        },
      }),
      asks("a mutation beside it", {
        facts: {
          url: "https://shop.test/graphql",
          body: json('{"query":"query Q { a } mutation M { b }","operationName":"Q"}'),
        },
        by: "effects.private",
      }),
      asks("a query where there is no GraphQL", {
        facts: { url: "https://shop.test/members/7?query={ok}", method: "POST", body: form("role=owner") },
        by: "effects.serious",
      }),
      asks("a stored document", {
        facts: {
          url: "https://shop.test/graphql",
          body: json('{"extensions":{"persistedQuery":{"sha256Hash":"ab"}}}'),
        },
        by: "effects.private",
      }),
      asks("two verbs", { facts: { url: "https://shop.test/api/getAndDelete" }, by: "effects.serious" }),
      asks("another method inside", {
        facts: { url: "https://shop.test/api/search", headers: { "X-HTTP-Method-Override": "DELETE" } },
        by: "effects.serious",
      }),
    ],
  },
  {
    id: "effects.upkeep",
    examples: [
      passes("a heartbeat", { facts: { url: "https://shop.test/api/heartbeat", body: json('{"at":2}') } }),
      passes("a refresh", {
        facts: { url: "https://shop.test/oauth/token", body: form("grant_type=refresh_token&refresh_token=r1") },
      }),
      passes("a polling transport's ping", {
        facts: {
          url: "https://shop.test/socket.io/?EIO=4&transport=polling&sid=s1",
          body: sends("text/plain;charset=UTF-8", "2"),
        },
      }),
      asks("a message over it", {
        facts: {
          url: "https://shop.test/socket.io/?EIO=4&transport=polling&sid=s1",
          body: sends("text/plain;charset=UTF-8", '42["rename",{"id":7}]'),
        },
        by: "effects.private",
      }),
      asks("a message over it with a stake", {
        facts: {
          url: "https://shop.test/socket.io/?EIO=4&transport=polling&sid=s1",
          body: sends("text/plain;charset=UTF-8", '42["delete item",{"id":7}]'),
        },
        by: "effects.serious",
      }),
      asks("a ping's form at another place", {
        facts: { url: "https://shop.test/rename/?transport=polling", body: sends("text/plain;charset=UTF-8", "2") },
        by: "effects.private",
      }),
      asks("with a text", {
        facts: {
          url: "https://shop.test/api/heartbeat",
          body: json('{"note":"see you at ten tomorrow, at the old place by the river"}'),
        },
        by: "effects.private",
      }),
      asks("of one thing", { facts: { url: "https://shop.test/orders/12/track" }, by: "effects.private" }),
    ],
  },
  {
    id: "effects.draft",
    examples: [
      passes("an autosave", {
        facts: { url: "https://shop.test/posts/12/autosaves", body: json('{"title":"green kettle"}') },
        state: kettle,
      }),
      passes("its removal", {
        facts: { method: "DELETE", url: "https://shop.test/posts/12/autosaves" },
        state: { isOwnDraft: true },
      }),
      asks("that publishes", {
        facts: { url: "https://shop.test/posts/12/autosaves", body: json('{"status":"publish"}') },
        by: "effects.serious",
      }),
    ],
  },
  {
    id: "effects.serious",
    examples: [
      asks("a deletion", { facts: { method: "DELETE", url: "https://shop.test/items/3" }, state: onPublic }),
      asks("an order", { facts: { url: "https://shop.test/checkout/submit" }, state: onPublic }),
      asks("a role", { facts: { body: json('{"user":"ann","role":"owner"}') }, state: onPublic }),
      asks("an owner in a header", { facts: { headers: { "x-shop-new-owner": "eve" } }, state: onPublic }),
      asks("by itself as it loads", { facts: { method: "DELETE", url: "https://shop.test/items/3" }, state: onLoad }),
    ],
  },
  {
    id: "effects.own",
    examples: [
      passes("its start", { state: onLoad }),
      asks("a form that sends itself off", {
        facts: { kind: "navigation", resourceType: "Document" },
        state: onLoad,
        by: "effects.private",
      }),
    ],
  },
  {
    id: "effects.learned",
    examples: [passes("a poll", { state: { isLearned: true } }), asks("with another value", { by: "effects.private" })],
  },
  {
    id: "effects.follows",
    examples: [
      passes("the list, loaded anew", { state: { isFollowing: true } }),
      passes("with a key of the sender's", { facts: { headers: { apikey: "k1" } }, state: { isFollowing: true } }),
      asks("an amount in a header", {
        facts: { headers: { "x-amount": "9000" } },
        state: { isFollowing: true },
        by: "effects.serious",
      }),
      asks("a deletion on top", { facts: { method: "DELETE" }, state: { isFollowing: true }, by: "effects.serious" }),
    ],
  },
  {
    id: "effects.private",
    examples: [
      asks("a form", { facts: { body: form("status=shipped") } }),
      asks("a heartbeat in strict", { facts: { url: "https://shop.test/api/heartbeat" }, state: { isStrict: true } }),
      asks("an unknown kind", { facts: { kind: "unknown" }, state: onPublic }),
    ],
  },
  {
    id: "effects.counted",
    examples: [asks("the 51st", { state: { ...onPublic, freeLeft: 0 } })],
  },
  {
    id: "effects.plain",
    examples: [
      passes("a cookie banner", {
        facts: { url: "https://shop.test/consent", body: json('{"all":false}') },
        state: onPublic,
      }),
      example("none", "a page", { facts: asked("https://shop.test/"), state: onPublic }),
    ],
  },
];

/** A line of `docs/rules.md`. */
export function effectExampleLine(id: RuleId, { is, what, facts, state, settings, by = id }: EffectExample): string {
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
