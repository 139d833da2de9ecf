import type { Body, EffectClass, Origin, RequestKind, Site } from "../../types.ts";
import type { Operation } from "./operations.ts";
import type { BodyParts } from "./parts.ts";

/** What is known of one request, or one redirect hop of it, that may change something. */
export interface EffectFacts {
  readonly method: string;
  readonly url: string;
  readonly kind: RequestKind;
  /** Chromium's word: Document, XHR, Fetch, Ping … */
  readonly resourceType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Address of the document that asks; null when it is not known. */
  readonly documentUrl: string | null;
  /** Address of the top document of that tab. */
  readonly mainUrl: string | null;
  /** 0 for a first request, n for its n-th redirect hop. */
  readonly hop: number;
  /** The site that is asked holds something of a person: then an address may do something whatever asks for it. */
  readonly isPrivateSite: boolean;
  /** What the agent's input acted on. Its name is a page's words: compared, never shown by this. */
  readonly element: { readonly role: string; readonly name: string; readonly formMethod: string | null } | null;
}

/** Where an application says what it wants done. */
export type VerbPlace = "path" | "query" | "field" | "header" | "rpc" | "graphql" | "stored";

/** One name of what is to be done. */
export interface VerbName {
  readonly at: VerbPlace;
  readonly name: string;
}

/**
 * One value that a request carries; of a list each place is a slot of its own, so that a longer list is another one.
 */
export interface Slot {
  readonly name: string;
  readonly value: string;
}

/**
 * A request as what it asks for: which operation, with which values. Two requests of one `key` differ in their slots
 * only.
 */
export interface RequestOperation {
  readonly key: string;
  /** The operation's own names, the most telling first: what a field, header or document says, then the path. */
  readonly verbs: readonly VerbName[];
  /** Literal segments of the path, ids left out, in order. */
  readonly path: readonly string[];
  /** The path ends in a program that takes its verb from elsewhere: `index.php`, `/api`, `/rpc`. */
  readonly isDispatcher: boolean;
  /** Nothing but packets of a polling transport itself: pings, subscriptions, the wait for the next message. */
  readonly isTransport: boolean;
  /** An id stands in front of the last literal segment. */
  readonly hasIdBefore: boolean;
  readonly slots: readonly Slot[];
}

/** A request in the terms that a decision and a question need. */
export interface Described {
  /** As it stands in the request. */
  readonly method: string;
  readonly kind: RequestKind;
  /** Any method but GET, HEAD and OPTIONS. */
  readonly isUnsafe: boolean;
  /** A GET or HEAD that by its facts does something. */
  readonly isGetEffect: boolean;
  /** The method that the request asks to be taken for. */
  readonly override: string | null;
  /** Null where there are none, or not all that the request carries was understood. */
  readonly operations: readonly Operation[] | null;
  /** GraphQL queries with their documents, and nothing else. */
  readonly isQuery: boolean;
  /** It carries GraphQL, or names a document that the server has. */
  readonly isGraphql: boolean;
  /** What it asks for, and with which values. */
  readonly operation: RequestOperation;
  /** Of what is no effect at all: unknown. */
  readonly effect: EffectClass;
  /** `POST https://shop.test/cart`: what counts as the same thing. */
  readonly place: string;
  /** Canonical; null where the address has none. */
  readonly origin: Origin | null;
  /** As it is sent, still encoded. */
  readonly path: string;
  readonly site: Site | null;
  /** Whole, without its fragment. */
  readonly url: string;
  readonly parts: BodyParts;
  /** The request goes to another site than the document that asks, or it is not known which that is. */
  readonly crossSite: boolean;
  /** The document that asks and the top document are of the request's site. */
  readonly firstParty: boolean;
  /** It carries a cookie or another sign-in. */
  readonly hasCredentials: boolean;
  /** Beacon, ping or report: its sender expects no answer. */
  readonly isReport: boolean;
  /** All that a page can choose of an effect's request, for the search for values that were typed. */
  readonly chosen: readonly string[];
}
