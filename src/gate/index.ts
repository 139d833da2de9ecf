/** The public face of `chaperone/gate`: pure decisions, without clock, randomness or input and output. */
export { type AddressClass, classifyAddress, classifyHost, type HostClass, isAddressLiteral, isLocalhostName, type PrivateKind } from "./addresses.ts";
export { mayConnect } from "./connect.ts";
export { isOpened, isOpenedAddress, isOpenedSite, type PrivateEntry, parsePrivate } from "./private.ts";
export { type ReachFacts, type ReachPolicy, reach, reachShown, requesterOf, withoutFragment } from "./reach.ts";
export { isCredentialName, REDACTED, redactText, redactUrl } from "./redact.ts";
export { type CanonicalResult, type CanonicalUrl, canonicalUrl, hostMatches, portOf, sameSite, siteOf, siteOfHost } from "./sites.ts";
export { allow, first, type RefusalWords, refuse } from "./verdict.ts";
