import type { ExampleFacts, ExampleSettings, ReachExample, ReachRule, Rule } from "./rule.ts";

const shop: ExampleSettings = { allow: ["shop.test"] };
const open: ExampleSettings = { allow: ["shop.test"], reading: "open" };
const ofShop: ExampleFacts = {
  by: "page",
  agentChose: false,
  requester: "https://shop.test/",
  mainUrl: "https://shop.test/",
};

function allows(what: string, settings: ExampleSettings, url: string, facts: ExampleFacts = {}): ReachExample {
  return { what, settings, facts: { ...facts, url }, verdict: "allow" };
}

function refuses(what: string, settings: ExampleSettings, url: string, facts: ExampleFacts = {}): ReachExample {
  return { what, settings, facts: { ...facts, url }, verdict: "refuse" };
}

const THIS_SITE = "this site, for this session";
/** `{place}`: the site rather than the host, which may be a page's words. */
const ALLOW = "--allow {place}";

/** The rules of reach in the order in which they are asked. The first that decides counts. */
export const REACH_RULES = [
  {
    id: "reach.address",
    says: "What does not parse as an address, or has a host that cannot be judged, is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      text: {
        reason: "This is not an address that can be opened.",
        remedy: "Give a complete http or https address.",
        operator: null,
      },
      host: {
        reason: "The host is not an address that can be judged.",
        remedy: "Give a complete http or https address.",
        operator: null,
      },
    },
    examples: [refuses("no scheme", shop, "shop.test"), refuses("an empty label", shop, "http://a..b/")],
  },
  {
    id: "reach.scheme",
    says: "Only http and https leave (ws and wss for sockets); about:blank, and data: and blob: for what a page loads from itself, leave nothing and pass",
    decides: ["refuse", "pass"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "Only http and https addresses are opened.",
        remedy: "Use an http or https address.",
        operator: null,
      },
    },
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
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "Service Workers are not started: they would answer for later pages.",
        remedy: "Go on: pages work without it, though not offline.",
        operator: null,
      },
    },
    examples: [
      refuses("of the page's own site", shop, "https://shop.test/sw.js", {
        ...ofShop,
        kind: "worker",
        serviceWorker: true,
      }),
    ],
  },
  {
    id: "reach.userinfo",
    says: "Addresses with a user name or password in front of the host are refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The address has a user name or password in front of the host.",
        remedy: "Leave out the part before the @, after checking which host follows it.",
        operator: null,
      },
    },
    examples: [refuses("the host is evil.test", shop, "http://shop.test@evil.test/")],
  },
  {
    id: "reach.metadata",
    says: "Metadata services of clouds are refused, whatever is opened",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "This is the metadata service of a cloud machine.",
        remedy: "Go on without it; it is never opened.",
        operator: null,
      },
    },
    examples: [refuses("by address", { private: ["localhost"] }, "http://169.254.169.254/")],
  },
  {
    id: "reach.block",
    says: "What block names is refused for every kind of request, subdomains included; it wins over everything",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The operator blocks this place.",
        remedy: "Go on without it.",
        operator: "take {entry} out of block",
      },
    },
    examples: [
      refuses("a subdomain", { block: ["ads.test"], reading: "open" }, "https://x.ads.test/a.png", {
        kind: "subresource",
      }),
      refuses(
        "a private place that is opened",
        { block: ["127.0.0.1"], private: ["http://127.0.0.1:3000"] },
        "http://127.0.0.1:3000/",
      ),
    ],
  },
  {
    id: "reach.private",
    says: "Private addresses are refused; an origin of private is open to the agent's navigation and to its own documents, never to public pages; of those that are closed only loopback is asked about",
    decides: ["refuse", "pass"],
    hard: true,
    offers: { once: THIS_SITE },
    words: {
      closed: {
        reason: "The address is on this machine or in a private network, which is closed.",
        remedy: "Use a public address, or tell the operator that this one is needed.",
        operator: "--private {origin}",
      },
      fromPublic: {
        reason: "A private address is opened to the agent's own navigation and to its own pages, not to other pages.",
        remedy: "If the task needs it, open it with navigate and its address.",
        operator: null,
      },
      resolved: {
        reason: "The host name leads to a private address.",
        remedy: "Go on without this place.",
        operator: null,
      },
    },
    examples: [
      refuses("loopback", shop, "http://2130706433/"),
      allows("the agent's navigation", { private: ["http://127.0.0.1:3000"] }, "http://127.0.0.1:3000/"),
      refuses("a public page's fetch", { private: ["http://127.0.0.1:3000"] }, "http://127.0.0.1:3000/", {
        ...ofShop,
        kind: "data",
      }),
    ],
  },
  {
    id: "reach.redirect",
    says: "A request with an unsafe method is not sent on to another site",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "A request that changes something was sent on to another site.",
        remedy: "Go to that site by its own pages if the task needs it.",
        operator: null,
      },
    },
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
    decides: ["refuse"],
    hard: false,
    offers: {},
    words: {
      plain: {
        reason: "Only the ports 80 and 443 are open, and those that the operator named.",
        remedy: "Use the site's ordinary address, or tell the operator that this port is needed.",
        operator: "--allow {place}:{port}",
      },
    },
    examples: [refuses("8443", shop, "https://shop.test:8443/")],
  },
  {
    id: "reach.scope",
    says: "Sites of allow, of the task's text and of grants are in scope, with their subdomains; a scheme or port in the entry narrows it",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
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
    decides: ["refuse"],
    hard: false,
    offers: { once: THIS_SITE },
    words: {
      plain: {
        reason: "This step gives up https: others on the way could read and change the page.",
        remedy: "Use the https address.",
        operator: "--allow http://{place}",
      },
    },
    examples: [refuses("a link", shop, "http://shop.test/", ofShop)],
  },
  {
    id: "reach.helper",
    says: "Sites of helpers are there for pages in scope (frames, popups, redirects, data), not for the agent's own addresses; their frames are not shown",
    decides: ["pass", "refuse"],
    hard: false,
    offers: {},
    words: {
      plain: {
        reason: "This place is there for the pages in scope to sign in and pay, not for the agent.",
        remedy: "Let the page in scope lead there.",
        operator: ALLOW,
      },
    },
    examples: [
      allows("a popup of a page in scope", { ...shop, helpers: ["idp.test"] }, "https://idp.test/", ofShop),
      refuses("the agent's own address", { ...shop, helpers: ["idp.test"] }, "https://idp.test/"),
      refuses("its frame shown", { ...shop, helpers: ["idp.test"] }, "https://idp.test/", { shown: "frame" }),
    ],
  },
  {
    id: "reach.lookalike",
    says: "A host that looks like one of the scope or of the sensitive list, or mixes scripts, must be named itself",
    decides: ["refuse"],
    hard: false,
    offers: { once: THIS_SITE },
    words: {
      mixed: {
        reason: "The host mixes letters of several scripts, as forged names do.",
        remedy: "Check the address with the operator.",
        operator: ALLOW,
      },
      imitates: {
        reason: "The host looks like {real} and is another one.",
        remedy: "Use {real} itself, or check the address with the operator.",
        operator: ALLOW,
      },
    },
    examples: [
      refuses("a digit for a letter", open, "https://sh0p.test/"),
      refuses("a name in front", open, "https://shop.test.evil.test/"),
      refuses("Cyrillic", open, "https://раураl.com/"),
    ],
  },
  {
    id: "reach.sensitive",
    says: "Banks, mail, sign-in, health, payment, cloud consoles and password managers must be named themselves: by the list (gate/sensitive-sites.ts) or a word in the name",
    decides: ["refuse"],
    hard: false,
    offers: { once: THIS_SITE },
    words: {
      plain: {
        reason: "This is a place for money, mail, health or sign-in, which the operator must name itself.",
        remedy: "Tell the operator that this site is needed.",
        operator: "--allow {host}",
      },
    },
    examples: [
      refuses("by the list", open, "https://kbstar.com./"),
      refuses("by a word", open, "https://my-bank.test/"),
      refuses("under a site in scope", { allow: ["google.com"] }, "https://mail.google.com/"),
    ],
  },
  {
    id: "reach.own",
    says: "A page asks other hosts of its own site",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    examples: [
      allows("another host", { allow: ["www.shop.test"] }, "https://api.shop.test/", {
        ...ofShop,
        mainUrl: "https://www.shop.test/",
        kind: "data",
      }),
    ],
  },
  {
    id: "reach.asset",
    says: "Pictures, styles, scripts and fonts of other hosts by assets: none, those that the top document's HTML names as it came from the server, or all; GET only",
    decides: ["pass", "refuse"],
    hard: false,
    offers: {},
    words: {
      closed: {
        reason: "Pages load pictures, styles and scripts from sites in scope only.",
        remedy: "Go on without this part of the page.",
        operator: ALLOW,
      },
      unnamed: {
        reason: "The page's own HTML does not name this host.",
        remedy: "Go on without this part of the page.",
        operator: ALLOW,
      },
    },
    examples: [
      allows("named", shop, "https://cdn.test/a.css", { ...ofShop, kind: "subresource", namedByDocument: true }),
      refuses("not named", shop, "https://cdn.test/a.css", { ...ofShop, kind: "subresource", namedByDocument: false }),
      refuses("nobody looked", shop, "https://cdn.test/a.css", { ...ofShop, kind: "subresource" }),
      refuses("bound by reach", { ...shop, reach: ["subresource"] }, "https://cdn.test/a.css", {
        ...ofShop,
        kind: "subresource",
        namedByDocument: true,
      }),
    ],
  },
  {
    id: "reach.frame",
    says: "Frames of other sites load where reach does not bind them; they are neither shown nor clicked",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    examples: [allows("a map", shop, "https://maps.test/", { ...ofShop, kind: "subframe" })],
  },
  {
    id: "reach.data",
    says: "Data to other sites passes where reach does not bind it, or any public site may be read, and only without cookies or other credentials",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    examples: [
      allows("without credentials", { ...shop, reach: ["navigation"] }, "https://api.test/", {
        ...ofShop,
        kind: "data",
      }),
    ],
  },
  {
    id: "reach.credentials",
    says: "Data to other sites that would carry credentials is refused",
    decides: ["refuse"],
    hard: false,
    offers: {},
    words: {
      plain: {
        reason: "The request would carry a sign-in of another site.",
        remedy: "Go on without it.",
        operator: ALLOW,
      },
    },
    examples: [
      refuses("a cookie", { ...shop, reach: ["navigation"] }, "https://api.test/", {
        ...ofShop,
        kind: "data",
        credentials: true,
      }),
    ],
  },
  {
    id: "reach.open",
    says: "Where reading is open, public sites out of scope may be opened",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    examples: [allows("another site", open, "https://other.test/")],
  },
  {
    id: "reach.site",
    says: "What is left is out of scope and refused",
    decides: ["refuse"],
    hard: false,
    offers: { once: THIS_SITE, task: "any public site, for this session" },
    words: {
      // `{before}`: without a scope of the operator's own, an option names all that came into it, too.
      site: {
        reason: "This site is not in scope.",
        remedy: "Stay on the sites in scope, or tell the operator that this one is needed.",
        operator: "{before}--allow {place}",
      },
      socket: {
        reason: "Sockets go to sites in scope only, and this site is not.",
        remedy: "Stay on the sites in scope, or tell the operator that this one is needed.",
        operator: "{before}--allow {place}",
      },
    },
    examples: [
      refuses("another site", shop, "https://other.test/"),
      refuses("its data", shop, "https://other.test/", { ...ofShop, kind: "data" }),
      refuses("its socket, also where reading is open", open, "wss://other.test/", { ...ofShop, kind: "socket" }),
      refuses("an unknown kind", open, "https://other.test/", { ...ofShop, kind: "unknown" }),
      refuses("nothing is allowed", { allow: [] }, "https://shop.test/"),
      refuses("apex only", { ...shop, includeSubdomains: false }, "https://www.shop.test/"),
    ],
  },
] as const satisfies readonly ReachRule[];

/** What stands beside that order. */
export const REACH_BESIDE = [
  {
    id: "reach.firstUse",
    says: "Where no site is named at all, the site of the agent's first navigation comes into scope, before anything was read; not one that is sensitive, looks like another, is private or blocked",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "reach.rule",
    says: "The library's rule is asked last: a reason refuses; { allow: true } opens what a soft rule of reach refuses, and nothing else",
    decides: ["refuse", "pass"],
    hard: true,
    offers: {},
    words: {
      plain: { reason: "The operator's rule refuses this.", remedy: "Go on without this place.", operator: null },
      // In the operator's own words.
      said: { reason: "{said}", remedy: "Go on without this place.", operator: null },
      invalid: {
        reason: "The operator's rule gave no valid answer, which counts as a refusal.",
        remedy: "Go on without this place.",
        operator: null,
      },
      failed: {
        reason: "The operator's rule failed, which counts as a refusal.",
        remedy: "Go on without this place.",
        operator: null,
      },
    },
  },
  {
    id: "reach.name",
    says: "A host name without an address is refused before its request leaves the page",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The host name has no address.",
        remedy: "Check the address for a typing mistake.",
        operator: null,
      },
    },
  },
  {
    id: "reach.upstream",
    says: "Where the operator set a proxy for all connections, nothing is opened without it",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The proxy that the operator set for all connections does not make this one.",
        remedy: "Tell the operator: nothing is opened without that proxy.",
        operator: null,
      },
    },
  },
  {
    id: "reach.undecided",
    says: "What no rule of reach decides is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "No rule decides about this site.",
        remedy: "Stay on the sites in scope, or tell the operator.",
        operator: null,
      },
    },
  },
] as const satisfies readonly Rule[];
