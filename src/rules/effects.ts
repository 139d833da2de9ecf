import type { EffectRule, Rule } from "./rule.ts";

/** What an answer to a question about effects means. */
export const EFFECT_OFFERS = {
  once: "this, once",
  form: "this and the next steps of this form, at most 10",
  task: "this kind of request for the whole task",
} as const;

const ONCE = { once: EFFECT_OFFERS.once } as const;
/** What has no form around it. */
const ONCE_OR_TASK = { once: EFFECT_OFFERS.once, task: EFFECT_OFFERS.task } as const;

/** Where nobody says yes. `{operation}`: an entry of effects.allow. */
const UNASKED_REMEDY = "Go on without it, and tell the operator what you wanted to do.";
const ALLOW_EFFECT = '--allow-effect "{operation}"';

/** The words of a rule that asks, where nobody can be asked. */
function unasked(what: string) {
  return {
    reading: { reason: `${what}, and the session only reads.`, remedy: UNASKED_REMEDY, operator: "--mode act" },
    nobody: { reason: `${what}, and there is nobody to ask for a yes.`, remedy: UNASKED_REMEDY, operator: ALLOW_EFFECT },
    noLonger: { reason: `${what}, and nobody is asked about it any more.`, remedy: UNASKED_REMEDY, operator: ALLOW_EFFECT },
  } as const;
}

/** What says nothing of the rule. */
export const UNASKED = unasked("This would change something");

const NOT_SENT = { reason: "A page's own report, or a repeat, is not sent.", remedy: "Nothing to do.", operator: null } as const;

/** The rules of effects in the order in which they are asked, after reach. The first that decides counts. */
export const EFFECT_RULES = [
  {
    id: "effects.report",
    says: "Beacons, pings and reports are answered without being sent",
    decides: ["quiet"],
    hard: false,
    offers: {},
    words: { plain: NOT_SENT },
    of: ["unsafe", "address"],
  },
  {
    id: "effects.denied",
    says: "Where a person said no, that place is closed; this beats all that lets pass",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "Somebody was asked whether this may be sent, and there was no yes.",
        remedy: "Do not try it again. Go on without it, and say so at the end.",
        operator: null,
      },
    },
    of: ["unsafe", "address", "socket"],
  },
  {
    id: "effects.readMode",
    says: "In read mode nothing that may change something leaves, but reads, upkeep and what is listed as readLike",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: { plain: UNASKED.reading },
    of: ["unsafe", "address", "socket"],
  },
  {
    id: "effects.code",
    says: "What the operator's own program does through session.page() passes, and is recorded",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe", "address", "socket"],
  },
  {
    id: "effects.grant",
    says: "What a grant permits passes: an entry of effects.allow, or a wider answer",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe", "address", "socket"],
  },
  {
    id: "effects.readLike",
    says: "What the operator lists in effects.readLike passes, of JSON-RPC and GraphQL only where every call in the request is listed",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.ahead",
    says: "Pictures, prefetches and frames of addresses that do something are refused, and nobody is asked about them",
    decides: ["quiet"],
    hard: false,
    offers: {},
    words: {
      plain: {
        reason: "A page wanted to load an address ahead that by its form does something.",
        remedy: "Go on without it. If the step is needed, do it as an action of its own.",
        operator: null,
      },
    },
    of: ["address"],
  },
  {
    id: "effects.carried",
    says: "A request of any kind from a private document to another site that holds a part of what was typed or chosen there is refused, unless that host is granted",
    decides: ["quiet"],
    hard: false,
    offers: {},
    words: {
      plain: {
        reason: "A private page wanted to tell another site a part of what was typed or chosen in it.",
        remedy: "Go on without it.",
        operator: ALLOW_EFFECT,
      },
    },
    of: ["unsafe", "address"],
  },
  {
    id: "effects.reads",
    says: "An operation that by its name only reads passes, where nothing about it is a sign of a stake",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.upkeep",
    says: "Heartbeats, pings and statistics of the same site pass: small, without an id and without text",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.draft",
    says: "Drafts, autosaves and previews of the same site pass where nothing but text changes, and are told",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.own",
    says: "What a page of a site that the agent has not touched sends to its own site by itself passes",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe", "address"],
  },
  {
    id: "effects.learned",
    says: "What a site sent by itself while it was untouched passes later, too, in the values that it sent",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.follows",
    says: "What follows from an answered input within 10 s and 10 requests, at the same place and without a further stake, passes",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe", "address"],
  },
  {
    id: "effects.crossSite",
    says: "Requests with an unsafe method to another site than that of the document that sends them are asked about",
    decides: ["ask"],
    hard: false,
    offers: ONCE_OR_TASK,
    words: unasked("This would change something at another site than the page's own"),
    of: ["unsafe"],
  },
  {
    id: "effects.host",
    says: "Changes from another host of a private site than the operator named or signed in on are asked about",
    decides: ["ask"],
    hard: false,
    offers: ONCE_OR_TASK,
    words: unasked("This would change something from a host that the operator did not name"),
    of: ["unsafe"],
  },
  {
    id: "effects.serious",
    says: "What by its operation, or by a value that changed, is about money, recipients, permissions, publication, deletion, accounts or commitments, or cannot be taken back, is asked about",
    decides: ["ask"],
    hard: false,
    offers: ONCE,
    words: unasked("This may be something that cannot be taken back"),
    of: ["unsafe"],
  },
  {
    id: "effects.typed",
    says: "What carries typed text, a file, or something that cannot be inspected is asked about",
    decides: ["ask"],
    hard: false,
    offers: EFFECT_OFFERS,
    words: unasked("This would send what was typed, or what cannot be inspected"),
    of: ["unsafe"],
  },
  {
    id: "effects.private",
    says: "Every other operation of a private site is asked about",
    decides: ["ask"],
    hard: false,
    offers: EFFECT_OFFERS,
    words: unasked("This would change something at a private site"),
    of: ["unsafe"],
  },
  {
    id: "effects.get",
    says: "Addresses that by their form do something are asked about on private sites, and those with a one-time token everywhere",
    decides: ["ask"],
    hard: false,
    offers: ONCE_OR_TASK,
    words: unasked("This address does something"),
    of: ["address"],
  },
  {
    id: "effects.socket",
    says: "A socket of a private page that an input touched is asked about once for its place; its messages are not seen",
    decides: ["ask", "refuse"],
    hard: false,
    offers: { once: "this socket, for this session" },
    words: {
      ...unasked("What a page sends over a socket is not seen"),
      reading: {
        reason: "The session only reads, and what a page sends over a socket cannot be judged.",
        remedy: "Go on with what the page shows without it.",
        operator: "--mode act",
      },
    },
    of: ["socket"],
  },
  {
    id: "effects.signIn",
    says: "A sign-in over several steps and hosts is asked about once: sign in at that site, as that person",
    decides: ["ask"],
    hard: false,
    offers: { once: "this sign-in" },
    words: unasked("This would sign in"),
    of: ["unsafe"],
  },
  {
    id: "effects.many",
    says: "Of one input at most 5 questions are asked; what comes on top is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "This input has led to as many questions as one may, and this request came on top of them.",
        remedy: "Look at the page. If the step is still needed, do it as an action of its own.",
        operator: "answer 'form' or 'task' to permit the following steps, too",
      },
    },
    of: ["unsafe", "address"],
  },
  {
    id: "effects.counted",
    says: "After 50 requests of a task that passed without a stake, more of them are asked about",
    decides: ["ask"],
    hard: false,
    offers: ONCE_OR_TASK,
    words: unasked("This would be one change more than pass without a question"),
    of: ["unsafe"],
  },
  {
    id: "effects.plain",
    says: "What has no stake passes, counted and recorded",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
] as const satisfies readonly EffectRule[];

/** What stands beside that order. */
export const EFFECTS_BESIDE = [
  {
    id: "effects.answer",
    says: "A person's yes lets exactly the request go that it was given for",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
  },
  {
    id: "effects.again",
    says: "A byte-identical repeat of what left on that yes is answered without being sent",
    decides: ["quiet"],
    hard: true,
    offers: {},
    words: { plain: NOT_SENT },
  },
  {
    id: "effects.left",
    says: "What a document sends that is no more is not asked about, and not sent",
    decides: ["quiet"],
    hard: false,
    offers: {},
    words: { plain: NOT_SENT },
  },
  {
    id: "effects.elsewhere",
    says: "Nothing that may change something is sent to a site that is only let in: what the page can read fails, the rest is answered without being sent",
    decides: ["refuse", "quiet"],
    hard: false,
    offers: {},
    words: { plain: NOT_SENT },
  },
  {
    id: "effects.failed",
    says: "What cannot be judged is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: { plain: { reason: "What this would change could not be judged, so it is refused.", remedy: "Go on without it.", operator: null } },
  },
] as const satisfies readonly Rule[];
