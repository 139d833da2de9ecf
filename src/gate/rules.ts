import type { RuleId } from "../types.ts";
import type { ReachSettings } from "./policy.ts";
import type { ReachFacts } from "./reach/index.ts";

/** One case of a rule, for readers and for the test that holds the rule to it. */
export interface RuleExample {
  readonly what: string;
  readonly settings: ReachSettings;
  readonly facts: Partial<ReachFacts> & Pick<ReachFacts, "url">;
  readonly verdict: "allow" | "refuse";
}

export interface ReachRule {
  readonly id: RuleId;
  /** One sentence without its full stop. */
  readonly says: string;
  readonly examples: readonly RuleExample[];
}

const shop: ReachSettings = { allow: ["shop.test"] };
const open: ReachSettings = { allow: ["shop.test"], reading: "open" };
const ofShop = { by: "page", agentChose: false, requester: "https://shop.test/", mainUrl: "https://shop.test/" } as const;

function allows(what: string, settings: ReachSettings, url: string, facts: Partial<ReachFacts> = {}): RuleExample {
  return { what, settings, facts: { ...facts, url }, verdict: "allow" };
}

function refuses(what: string, settings: ReachSettings, url: string, facts: Partial<ReachFacts> = {}): RuleExample {
  return { what, settings, facts: { ...facts, url }, verdict: "refuse" };
}

/** The rules of reach in the order in which they are asked. The first that decides counts; examples show each in both directions where it has two. */
export const reachRules: readonly ReachRule[] = [
  {
    id: "reach.address",
    says: "What does not parse as an address, or has a host that cannot be judged, is refused",
    examples: [refuses("no scheme", shop, "shop.test"), refuses("an empty label", shop, "http://a..b/")],
  },
  {
    id: "reach.scheme",
    says: "Only http and https leave (ws and wss for sockets); about:blank, and data: and blob: for what a page loads from itself, leave nothing and pass",
    examples: [
      refuses("a file", shop, "file:///etc/passwd"),
      refuses("data: as a document", shop, "data:text/html,x"),
      allows("an empty page", shop, "about:blank"),
      allows("a picture in the page", shop, "data:image/png;base64,AA==", { kind: "subresource" }),
    ],
  },
  {
    id: "reach.serviceWorker",
    says: "The script of a Service Worker is never fetched, so none starts; other workers are judged like data",
    examples: [refuses("of the page's own site", shop, "https://shop.test/sw.js", { ...ofShop, kind: "worker", serviceWorker: true })],
  },
  {
    id: "reach.userinfo",
    says: "Addresses with a user name or password in front of the host are refused",
    examples: [refuses("the host is evil.test", shop, "http://shop.test@evil.test/")],
  },
  {
    id: "reach.metadata",
    says: "Metadata services of clouds are refused, whatever is opened",
    examples: [refuses("by address", { private: ["localhost"] }, "http://169.254.169.254/")],
  },
  {
    id: "reach.block",
    says: "What block names is refused for every kind of request, subdomains included; it wins over everything",
    examples: [
      refuses("a subdomain", { block: ["ads.test"], reading: "open" }, "https://x.ads.test/a.png", { kind: "subresource" }),
      refuses("a private place that is opened", { block: ["127.0.0.1"], private: ["http://127.0.0.1:3000"] }, "http://127.0.0.1:3000/"),
    ],
  },
  {
    id: "reach.private",
    says: "Private addresses are refused; an origin of private is open to the agent's navigation and to its own documents, never to public pages",
    examples: [
      refuses("loopback", shop, "http://2130706433/"),
      allows("the agent's navigation", { private: ["http://127.0.0.1:3000"] }, "http://127.0.0.1:3000/"),
      refuses("a public page's fetch", { private: ["http://127.0.0.1:3000"] }, "http://127.0.0.1:3000/", { ...ofShop, kind: "data" }),
    ],
  },
  {
    id: "reach.redirect",
    says: "A request with an unsafe method is not sent on to another site",
    examples: [
      refuses("307 to another site", { allow: ["shop.test", "desk.test"] }, "https://desk.test/", {
        ...ofShop,
        method: "POST",
        hop: 1,
        redirectedFrom: "https://shop.test/",
      }),
      refuses("after a step within the site", { allow: ["shop.test", "desk.test"] }, "https://desk.test/", {
        ...ofShop,
        method: "POST",
        hop: 2,
        redirectedFrom: "https://shop.test/passed-on",
      }),
    ],
  },
  {
    id: "reach.port",
    says: "Ports other than 80 and 443 are refused, unless an entry names them or the name is mapped",
    examples: [refuses("8443", shop, "https://shop.test:8443/")],
  },
  {
    id: "reach.scope",
    says: "Sites of allow, of the task's text and of grants are in scope, with their subdomains; a scheme or port in the entry narrows it",
    examples: [
      allows("a subdomain", shop, "https://www.shop.test/"),
      allows("a trailing dot", shop, "https://SHOP.test./"),
      allows("a port that is named", { allow: ["shop.test:8443"] }, "https://shop.test:8443/"),
      allows("named in the task", { task: "Order at www.shop.test." }, "https://shop.test/"),
      allows("a socket", shop, "wss://shop.test/", { kind: "socket" }),
    ],
  },
  {
    id: "reach.downgrade",
    says: "The step from https down to http of the same site is refused, unless an entry says http://",
    examples: [refuses("a link", shop, "http://shop.test/", ofShop)],
  },
  {
    id: "reach.helper",
    says: "Sites of helpers are there for pages in scope (frames, popups, redirects, data), not for the agent's own addresses; their frames are not shown",
    examples: [
      allows("a popup of a page in scope", { ...shop, helpers: ["idp.test"] }, "https://idp.test/", ofShop),
      refuses("the agent's own address", { ...shop, helpers: ["idp.test"] }, "https://idp.test/"),
      refuses("its frame shown", { ...shop, helpers: ["idp.test"] }, "https://idp.test/", { shown: "frame" }),
    ],
  },
  {
    id: "reach.lookalike",
    says: "A host that looks like one of the scope or of the sensitive list, or mixes scripts, must be named itself",
    examples: [
      refuses("a digit for a letter", open, "https://sh0p.test/"),
      refuses("a name in front", open, "https://shop.test.evil.test/"),
      refuses("Cyrillic", open, "https://раураl.com/"),
    ],
  },
  {
    id: "reach.sensitive",
    says: "Banks, mail, sign-in, health, payment, cloud consoles and password managers must be named themselves: by the list (gate/sensitive-sites.ts) or a word in the name",
    examples: [
      refuses("by the list", open, "https://kbstar.com./"),
      refuses("by a word", open, "https://my-bank.test/"),
      refuses("under a site in scope", { allow: ["google.com"] }, "https://mail.google.com/"),
    ],
  },
  {
    id: "reach.own",
    says: "A page asks other hosts of its own site",
    examples: [allows("another host", { allow: ["www.shop.test"] }, "https://api.shop.test/", { ...ofShop, mainUrl: "https://www.shop.test/", kind: "data" })],
  },
  {
    id: "reach.asset",
    says: "Pictures, styles, scripts and fonts of other hosts by assets: none, those that the top document's HTML names as it came from the server, or all; GET only",
    examples: [
      allows("named", shop, "https://cdn.test/a.css", { ...ofShop, kind: "subresource", namedByDocument: true }),
      refuses("not named", shop, "https://cdn.test/a.css", { ...ofShop, kind: "subresource", namedByDocument: false }),
      refuses("nobody looked", shop, "https://cdn.test/a.css", { ...ofShop, kind: "subresource" }),
      refuses("bound by reach", { ...shop, reach: ["subresource"] }, "https://cdn.test/a.css", { ...ofShop, kind: "subresource", namedByDocument: true }),
    ],
  },
  {
    id: "reach.frame",
    says: "Frames of other sites load where reach does not bind them; they are neither shown nor clicked",
    examples: [allows("a map", shop, "https://maps.test/", { ...ofShop, kind: "subframe" })],
  },
  {
    id: "reach.data",
    says: "Data to other sites passes where reach does not bind it, or any public site may be read, and only without cookies or other credentials",
    examples: [allows("without credentials", { ...shop, reach: ["navigation"] }, "https://api.test/", { ...ofShop, kind: "data" })],
  },
  {
    id: "reach.credentials",
    says: "Data to other sites that would carry credentials is refused",
    examples: [refuses("a cookie", { ...shop, reach: ["navigation"] }, "https://api.test/", { ...ofShop, kind: "data", credentials: true })],
  },
  { id: "reach.open", says: "Where reading is open, public sites out of scope may be opened", examples: [allows("another site", open, "https://other.test/")] },
  {
    id: "reach.site",
    says: "What is left is out of scope and refused",
    examples: [
      refuses("another site", shop, "https://other.test/"),
      refuses("its data", shop, "https://other.test/", { ...ofShop, kind: "data" }),
      refuses("its socket, also where reading is open", open, "wss://other.test/", { ...ofShop, kind: "socket" }),
      refuses("an unknown kind", open, "https://other.test/", { ...ofShop, kind: "unknown" }),
      refuses("nothing is allowed", { allow: [] }, "https://shop.test/"),
      refuses("apex only", { ...shop, includeSubdomains: false }, "https://www.shop.test/"),
    ],
  },
];

/** The page `docs/rules.md`. */
export function rulesPage(): string {
  return [
    "# Rules of reach",
    "",
    "Generated from `src/gate/rules.ts` by `npm run docs`; do not edit. Every example is a test.",
    "",
    "Asked in this order; the first that decides counts. `chaperone explain` shows the way of a request through them.",
    "",
    ...reachRules.flatMap(({ id, says, examples }) => [`## ${id}`, "", `${says}.`, "", ...examples.map(exampleLine), ""]),
    "## Beside them",
    "",
    "- `reach.firstUse`: where no site is named at all, the site of the agent's first navigation comes into scope, before anything was read. Not one that is sensitive, looks like another, is private or blocked.",
    "- `reach.rule`: the library's `rule` is asked last. A reason refuses; `{ allow: true }` opens what `reach.port`, `reach.downgrade`, `reach.helper`, `reach.lookalike`, `reach.sensitive`, `reach.asset`, `reach.credentials` and `reach.site` refuse, and nothing else.",
    "- With the profile `observe`, the same rules record and let go.",
    "",
  ].join("\n");
}

function exampleLine({ what, settings, facts, verdict }: RuleExample): string {
  const { url, kind = "navigation", method = "GET" } = facts;
  return `- ${verdict}: ${what}: \`${method} ${kind} ${url}\` with \`${JSON.stringify(settings)}\``;
}
