import { canonicalUrl, type Described, isSeriousSlot, lastKey, sensitive, type TypedText } from "../gate/index.ts";
import type { Element, RequestFacts, Site } from "../types.ts";
import { handsOver } from "./address.ts";

const SIGN_IN_MS = 120_000;
const SIGN_IN_STEPS = 12;
/** Of an address where somebody signs in. */
const SIGN_IN_PLACE =
  /(?:^|[/._-])(?:log[_-]?in|sign[_-]?in|signon|auth|oauth2?|oidc|sso|saml2?|session|sessions|account\/signin|identifier|authenticate|kmsi|login_flow|credential|challenge|mfa|otp|2fa|connexion|anmelden|wp-login)(?:[/._?-]|$)/i;
/** What a person agrees to is asked about by itself. */
const CONSENT =
  /consent|approv|authoriz(?:e|ation)\/(?:confirm|decision|allow)|(?<!_)grant(?!_?type)|\bscopes?\b|allow/i;
const USER_FIELD = /user|login|e-?mail|identifier|account|name|benutzer|correo/i;
const MAX_NAME_CHARS = 100;

/** Of a card or an account, in lower case without punctuation. */
const PAYS = /^(?:card|cc|pan$|cv[cv]|csc|iban|amount|price|total|expir)/;

/** A sign-in that is under way: its steps are one question. */
export interface SignIn {
  /** Milliseconds since 1970. */
  readonly until: number;
  left: number;
  /** Where its first steps went. */
  readonly sites: ReadonlySet<Site | null>;
}

/** What the question about a sign-in says. */
export interface SignInAsked {
  readonly host: string;
  /** As whom; null where no name was typed. */
  readonly as: string | null;
}

/**
 * Whether a request is a step of a sign-in: it carries a password, or the name that was typed on a page for signing in.
 * Null: it is none.
 */
export function signInOf(
  facts: RequestFacts,
  described: Described,
  typed: readonly TypedText[],
  element: Element | null,
): SignInAsked | null {
  const place = canonicalUrl(facts.url);
  if (!place.ok || described.kind === "socket") return null;
  const carried = typed.filter(({ text }) => described.chosen.some((one) => one === text || one.includes(text)));
  const hasSecret = carried.some(({ isSecret }) => isSecret);
  // A name alone is one where a page of signing in sends it: an application has things called session, too.
  const isPlace = facts.method !== "PUT" && facts.method !== "PATCH" && isSignInPage(facts.from.documentUrl ?? "");
  if (carried.length === 0 || !(hasSecret || isPlace)) return null;
  // A card number is a secret, too: what pays or cannot be taken back is asked about as what it is.
  if (
    described.effect === "irreversible" ||
    described.operation.slots.some((slot) => PAYS.test(lastKey(slot.name)) || isSeriousSlot(slot, false))
  )
    return null;
  if (
    !hasSecret &&
    element !== null &&
    element.role === "textbox" &&
    !USER_FIELD.test(`${element.field?.name ?? ""} ${element.name}`)
  )
    return null;
  const name =
    carried.find(({ isSecret }) => !isSecret)?.text ??
    typed.findLast(({ isSecret, site }) => !isSecret && site === described.site)?.text ??
    null;
  return { host: place.host, as: name === null || name.length > MAX_NAME_CHARS ? null : name };
}

export function beginSignIn(now: number, sites: readonly (Site | null)[]): SignIn {
  return { until: now + SIGN_IN_MS, left: SIGN_IN_STEPS, sites: new Set(sites) };
}

/**
 * A step that needs no question of its own: between places of signing in, with nothing in it that a person would have
 * to agree to.
 */
export function isStepOf(
  signIn: SignIn | null,
  facts: RequestFacts,
  described: Described,
  isSerious: boolean,
  now: number,
): boolean {
  if (signIn === null || now >= signIn.until || signIn.left <= 0 || isSerious || described.parts.files.length > 0)
    return false;
  if (facts.method !== "POST" && facts.method !== "GET") return false;
  if (MANAGES.test(described.path)) return false;
  const from = facts.from.documentUrl ?? "";
  const isFromPlace = isSignInPage(from) || (facts.redirectedFrom !== null && isSignInPlace(facts.redirectedFrom));
  const isOfItsSite = described.site !== null && signIn.sites.has(described.site) && !described.crossSite;
  const isStep = isFromPlace
    ? isSignInPlace(facts.url) || (facts.kind === "navigation" && handsOver(fieldsOf(described)))
    : isOfItsSite && isSignInPlace(facts.url) && STEP.test(described.path) && !described.parts.fields.some(isSwitch);
  if (!isStep) return false;
  return (
    !CONSENT.test(described.path) &&
    !described.parts.fields.some(
      ({ name, value }) => CONSENT.test(name) || /^(?:allow|approve|accept|yes|consent)$/i.test(value),
    )
  );
}

/** What a page that is no page of signing in still sends for it, by the end of its path. */
const STEP =
  /\/(?:log[_-]?in|sign[_-]?in|signon|tokens?|authenticate|authorize|callback|sessions?|challenge|verify|codes?|identifier|password|kmsi|continue|sso|acs|otp|mfa|refresh)\/?$/i;

/** It turns something on or off. */
function isSwitch({ name, value }: { readonly name: string; readonly value: string }): boolean {
  return /^(?:true|false|on|off|enabled?|disabled?)$/i.test(value) && !/remember|trust|keep|persist/i.test(name);
}

/** Where an account is managed, not entered. */
const MANAGES =
  /(?:^|[/._-])(?:settings?|account(?![/._-](?:log|sign))|users?|members?|tokens|keys?|admin|recovery|profile|2fa|setup|email|e-mail|change|reset|new|create|delete|revoke)(?:[/._-]|$)/i;

function fieldsOf({ parts }: Described): ReadonlyMap<string, string> {
  return new Map(parts.fields.map(({ name, value }) => [name, value]));
}

/** A page of signing in by its path: the host of all accounts has other pages as well. */
function isSignInPage(url: string): boolean {
  const place = canonicalUrl(url);
  return place.ok && (SIGN_IN_PLACE.test(place.url.pathname) || (place.url.pathname === "/" && isSignInPlace(url)));
}

function isSignInPlace(url: string): boolean {
  const place = canonicalUrl(url);
  if (!place.ok) return false;
  return (
    SIGN_IN_PLACE.test(place.url.pathname) ||
    sensitive(place.host, [], [])?.kind === "identity" ||
    /^(?:login|auth|sso|signin|accounts?|id|idp)\./i.test(place.host)
  );
}
