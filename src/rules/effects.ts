import type { EffectRule, Rule } from "./rule.ts";

/** What an answer to a question about effects means. */
export const EFFECT_OFFERS = {
  once: "this, and what plainly follows from it",
  form: "this form and those of the page that answers it, at most 10",
  task: "this operation for the whole task, whatever its values",
} as const;

/** What has no form around it. */
const ONCE_OR_TASK = { once: EFFECT_OFFERS.once, task: EFFECT_OFFERS.task } as const;

/** Where nobody says yes. `{operation}`: an entry of effects.allow. */
const UNASKED_REMEDY = "Go on without it, and tell the operator what you wanted to do.";
const ALLOW_EFFECT = '--allow-effect "{operation}"';

/** Where it may only read, so that the operator can say that it does. */
export const READ_LIKE = {
  reason: "This may only read, as its names say.",
  remedy: UNASKED_REMEDY,
  operator: '--read-like "{place}"',
} as const;

/** The words of a rule that asks, where nobody can be asked. */
function unasked(what: string) {
  return {
    reading: { reason: `${what}, and the session only reads.`, remedy: UNASKED_REMEDY, operator: "--mode act" },
    nobody: {
      reason: `${what}, and there is nobody to ask for a yes.`,
      remedy: UNASKED_REMEDY,
      operator: ALLOW_EFFECT,
    },
    noLonger: {
      reason: `${what}, and nobody is asked about it any more.`,
      remedy: UNASKED_REMEDY,
      operator: ALLOW_EFFECT,
    },
    unanswered: {
      reason: `${what}, and whoever was asked has not answered.`,
      remedy: UNASKED_REMEDY,
      operator: ALLOW_EFFECT,
    },
  } as const;
}

/** What says nothing of the rule. */
export const UNASKED = unasked("This would change something");

const NOT_SENT = {
  reason: "A page's own report, or a repeat, is not sent.",
  remedy: "Nothing to do.",
  operator: null,
} as const;

/** The rules of effects in the order in which they are asked, after reach. The first that decides counts. */
export const EFFECT_RULES = [
  {
    id: "effects.socket",
    says: "A private page that an input touched talks over a socket: asked about once for its place and session, since nobody sees its messages; sockets of public and of untouched pages pass, none in read mode",
    decides: ["pass", "ask", "refuse"],
    hard: false,
    offers: { once: "this socket, for this session" },
    words: {
      ...unasked("This page talks over a socket, whose messages nobody can see"),
      reading: {
        reason: "The session only reads, and what a page sends over a socket cannot be judged.",
        remedy: "Go on with what the page shows without it.",
        operator: "--mode act",
      },
    },
    of: ["socket"],
  },
  {
    id: "effects.carried",
    says: "A request of any kind from a private document to another site that holds a part of what was typed or chosen there is not sent; a grant for that host permits it",
    decides: ["quiet"],
    hard: false,
    offers: {},
    words: {
      plain: {
        reason: "A page of a private site would have told another site what was typed into it.",
        remedy: "Nothing to do; the page goes on without it.",
        operator: ALLOW_EFFECT,
      },
    },
    of: ["unsafe", "address", "socket"],
  },
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
    says: "What a person said no to is not sent again by the page, and not asked about again for the same input; that beats all that lets pass",
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
    says: "An address of a private site that does something is never loaded as a picture, script, frame of its own accord, or ahead of time",
    decides: ["quiet"],
    hard: true,
    offers: {},
    words: { plain: NOT_SENT },
    of: ["unsafe", "address"],
  },
  {
    id: "effects.get",
    says: "On private sites addresses that by their form do something are asked about: a verb beside an id or values, a command, a token against forgery; one-time tokens and another method inside everywhere",
    decides: ["ask"],
    hard: false,
    offers: ONCE_OR_TASK,
    words: unasked("This address does something"),
    of: ["address"],
  },
  {
    id: "effects.signIn",
    says: "The further steps of a sign-in that was answered with yes pass: between places of signing in, with nothing in them to agree to",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.crossSite",
    says: "Requests with an unsafe method to another site that the operator chose are asked about",
    decides: ["ask"],
    hard: false,
    offers: ONCE_OR_TASK,
    words: unasked("This would change something at another site than the page's own"),
    of: ["unsafe"],
  },
  {
    id: "effects.elsewhere",
    says: "To any other site nothing of a private page's is sent, nor of a public page's with a sign-in or with typed text",
    decides: ["refuse", "quiet"],
    hard: false,
    offers: {},
    words: {
      plain: {
        reason: "A page's own data for a site that was only let in is not sent.",
        remedy: "Nothing to do.",
        operator: ALLOW_EFFECT,
      },
    },
    of: ["unsafe"],
  },
  {
    id: "effects.host",
    says: "Requests to a private site that come from another host of it than the operator named or signed in on are asked about",
    decides: ["ask"],
    hard: false,
    offers: ONCE_OR_TASK,
    words: unasked("This would change something from a host that the operator did not name"),
    of: ["unsafe"],
  },
  {
    id: "effects.typed",
    says: "What carries text that the agent typed, a file, or cannot be inspected is asked about; text of one line in a read or in upkeep of the site is exempt, and numbers of up to four digits on public sites; after text in another field the next request that an input causes carries it",
    decides: ["ask"],
    hard: false,
    offers: EFFECT_OFFERS,
    words: unasked("This would send what was typed, or what cannot be inspected"),
    of: ["unsafe"],
  },
  {
    id: "effects.reads",
    says: "An operation whose name is a reading verb, or a verb and what it reads, passes, with nothing in its names that orders a change; GraphQL queries with their document, where the page sent GraphQL by itself or where it is at home; PROPFIND, REPORT, SEARCH",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.upkeep",
    says: "Heartbeats, statistics and the like pass: their whole name says it, they are small, and nothing in them is a person's text; so does a session that prolongs itself",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.draft",
    says: "Drafts, autosave and previews of the same site pass and are told: text only, no file, no sign of a stake; so does taking away a draft that this session has left",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.serious",
    says: "What by its operation or by a slot that changed pays, sends, publishes, deletes, gives access, commits somebody, or cannot be taken back is asked about",
    decides: ["ask"],
    hard: false,
    offers: EFFECT_OFFERS,
    words: unasked("This may be something that cannot be taken back"),
    of: ["unsafe"],
  },
  {
    id: "effects.own",
    says: "What a page sends to its own site by itself, where the agent has touched nothing of that site, passes",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.learned",
    says: "What pages of the site sent by themselves before anybody touched it passes in the values that it had; slots that varied by themselves, or are counted or drawn anew, are free",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.follows",
    says: "What follows from an answered input passes for 10 s and 10 requests: at the same place prefix, with no id that was not shown, and no stake but being of a private site",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
    of: ["unsafe"],
  },
  {
    id: "effects.private",
    says: "Every other operation of a private site is asked about; in the profile strict all but reads",
    decides: ["ask"],
    hard: false,
    offers: EFFECT_OFFERS,
    words: unasked("This would change something at a private site"),
    of: ["unsafe"],
  },
  {
    id: "effects.counted",
    says: "Beyond 50 requests without a stake a task the next are asked about",
    decides: ["ask"],
    hard: false,
    offers: ONCE_OR_TASK,
    words: unasked("This would be one change more than pass without a question"),
    of: ["unsafe"],
  },
  {
    id: "effects.plain",
    says: "What has no stake passes and is counted: public sites hold nothing of a person",
    decides: ["pass"],
    hard: true,
    offers: {},
    words: {},
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
        operator: ALLOW_EFFECT,
      },
    },
    of: ["unsafe", "address"],
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
    says: "Of the same request several times in one question only the newest leaves: an app that gave up has sent it again",
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
    id: "effects.failed",
    says: "What cannot be judged is refused",
    decides: ["refuse"],
    hard: true,
    offers: {},
    words: {
      plain: {
        reason: "What this would change could not be judged, so it is refused.",
        remedy: "Go on without it.",
        operator: null,
      },
    },
  },
] as const satisfies readonly Rule[];
