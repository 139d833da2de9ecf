import type { Rule } from "./rule.ts";

const TELL = "Tell the operator; trying again will not help.";

/** What is decided about a call before anything of it becomes a request. */
export const CALL_RULES = [
  {
    id: "guard.look",
    says: "Looking at what the page shows is always allowed; what may be shown is decided by reach",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "guard.go",
    says: "Back, forward and a new tab name no address, so the call is allowed; their requests, and what they show, are judged",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "guard.act",
    says: "Acting on an element that leads to no address of its own is allowed; what it causes is judged request by request",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "guard.unknown",
    says: "A call of an unknown kind, or one without the address that it needs, is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      kind: { reason: "This kind of call is not known.", remedy: "Use one of the listed tools.", operator: null },
      address: {
        reason: "This call has no address to go to.",
        remedy: "Give an address or the ref of a link.",
        operator: null,
      },
    },
  },
  {
    id: "guard.error",
    says: "What the guard cannot judge is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: { plain: { reason: "The guard could not judge this, so it is refused.", remedy: TELL, operator: null } },
  },
  {
    id: "guard.log",
    says: "A decision that cannot be written down is a refusal, and after it nothing is done any more",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The decision could not be written down, so nothing is done any more.",
        remedy: TELL,
        operator: null,
      },
    },
  },
  {
    id: "gate.undecided",
    says: "What no rule decided is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: { plain: { reason: "No rule decided about this.", remedy: "Try something else.", operator: null } },
  },
] as const satisfies readonly Rule[];

/** Where requests are held. */
export const WIRE_RULES = [
  {
    id: "wire.judge",
    says: "A request about which the judge gives no answer is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: { plain: { reason: "The request could not be judged.", remedy: "Try something else.", operator: null } },
  },
] as const satisfies readonly Rule[];

/** What the browser tries past the wire, and what comes to nothing behind it. In the order in which the proxy looks. */
export const PROXY_RULES = [
  {
    id: "proxy.peer",
    says: "Only processes of the session's own browser may connect to its proxy",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The proxy takes connections from its own browser only.",
        remedy: "Nothing to do.",
        operator: null,
      },
    },
  },
  {
    id: "proxy.malformed",
    says: "A request to the proxy that is not plainly formed is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The request to the proxy could not be read plainly.",
        remedy: "Go on without this place.",
        operator: null,
      },
    },
  },
  {
    id: "proxy.prefetch",
    says: "What the browser fetches ahead by itself is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The browser wanted to fetch something ahead that nobody asked for.",
        remedy: "Nothing to do.",
        operator: null,
      },
    },
  },
  {
    id: "proxy.way",
    says: "A connection is made only to a place to which a judged request was let go",
    decides: ["refuse", "pass"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "No judged request leads to this place, so there is no connection to it.",
        remedy: "Go on without this place.",
        operator: null,
      },
    },
  },
  {
    id: "proxy.silent",
    says: "A tunnel whose client says nothing is closed before anything is connected to",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "Nothing was said in the tunnel, so nothing is connected to.",
        remedy: "Go on without this place.",
        operator: null,
      },
    },
  },
  {
    id: "proxy.tunnel_kind",
    says: "A tunnel carries only what it was opened for: requests, or a socket that was judged",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The tunnel would carry something other than what it was opened for.",
        remedy: "Go on without this place.",
        operator: null,
      },
    },
  },
  {
    id: "proxy.name",
    says: "A host name without an address is not connected to",
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
    id: "proxy.address",
    says: "A name of which one address is private or otherwise closed is not connected to",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The host name leads to an address that is closed.",
        remedy: "Go on without this place.",
        operator: null,
      },
    },
  },
  {
    id: "proxy.own_port",
    says: "The session's own listeners on this machine are not connected to",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: { reason: "This is a port of the session itself.", remedy: "Go on without this place.", operator: null },
    },
  },
  {
    id: "proxy.upstream",
    says: "Where the operator's own proxy does not make a connection, there is none",
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
    id: "proxy.connect",
    says: "A place that does not answer is not reached",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: { reason: "The place cannot be connected to.", remedy: "Go on without this place.", operator: null },
    },
  },
  {
    id: "proxy.record",
    says: "A connection that cannot be written down is not made",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: { reason: "The connection could not be written down, so it is not made.", remedy: TELL, operator: null },
    },
  },
  {
    id: "proxy.error",
    says: "What goes wrong in the proxy is a refusal",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "The proxy could not make this connection.",
        remedy: "Go on without this place.",
        operator: null,
      },
    },
  },
] as const satisfies readonly Rule[];

/** While the session's own browser is tried, before anything is opened with it. */
export const SELF_TEST_RULES = [
  {
    id: "selftest.page",
    says: "The session's own page opens while the browser is tried",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "selftest.canary",
    says: "What the browser must not let out while it is tried goes nowhere",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: { plain: { reason: "The self-test goes nowhere.", remedy: "Nothing to do.", operator: null } },
  },
  {
    id: "selftest.only",
    says: "A browser that was started to be tried opens nothing else",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: { plain: { reason: "Only the self-test runs here.", remedy: "Open a session.", operator: null } },
  },
] as const satisfies readonly Rule[];
