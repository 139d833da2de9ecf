import { hasCredentials } from "../reach/facts.ts";
import { sameSite, siteOf } from "../sites.ts";
import { type Address, addressOf, percentDecoded } from "./address.ts";
import { readWithJson } from "./body.ts";
import { contentTypeOf } from "./content-type.ts";
import { effectClassOf } from "./effect-class.ts";
import type { Described, EffectFacts } from "./facts.ts";
import { canBeGetEffect, isGetEffectAddress, isGetEffectLabel } from "./get-effect.ts";
import { headerOf } from "./headers.ts";
import { flattenJson, parseJson } from "./json.ts";
import { operationOf } from "./operation.ts";
import { looksLikeMutation, type Operations, operationsOf } from "./operations.ts";
import { isSafeMethod, overrideOf } from "./override.ts";
import type { BodyField, BodyParts } from "./parts.ts";
import { type Polled, polledOf } from "./polling.ts";

/** Headers that the browser writes, or that only repeat what was there before. A page chooses all others. */
const OF_THE_BROWSER: ReadonlySet<string> = new Set(
  "user-agent referer origin cookie host connection content-type content-length cache-control pragma upgrade-insecure-requests dnt te priority accept accept-language accept-encoding range if-none-match if-modified-since purpose".split(
    " ",
  ),
);

/** Takes a request apart. Pure and total: what cannot be understood is described as what asks the most. */
export function describeEffect(facts: EffectFacts): Described {
  const { method, headers, kind } = facts;
  const address = addressOf(facts.url);
  const query = address?.query ?? [];
  const contentType = facts.body.kind === "none" ? "" : facts.body.contentType;
  const { parts, json } = readWithJson(facts.body, headers);
  const loose = parts.kind === "text" ? parseJson(parts.text) : null;
  const polled = polledOf({ segments: address?.segments ?? [], query, parts, json });
  const fields =
    polled !== null && parts.kind === "text"
      ? polled.fields
      : loose === null
        ? parts.fields
        : (flattenJson(loose) ?? []);
  const override = overrideOf(headers, [...query, ...fields]);
  const operations = operationsOf({ query, parts, json, contentType });
  // Nobody sends a body, or another method, with a plain OPTIONS.
  const isUnsafe =
    !isSafeMethod(method) ||
    (method === "OPTIONS" && (facts.body.kind !== "none" || (override !== null && !isSafeMethod(override))));
  const isByGet = !isUnsafe && method !== "OPTIONS" && isGetEffect(facts, address, override, operations);
  const site = address?.place.site ?? null;
  const crossSite = isCrossSite(facts, address);
  const origin = address?.place.origin ?? null;
  const path = address?.place.url.pathname ?? "";
  return {
    method,
    kind,
    isUnsafe,
    isGetEffect: isByGet,
    override,
    operations: operations.complete && operations.found.length > 0 ? operations.found : null,
    isQuery: operations.readOnly,
    isGraphql: isGraphql(operations, query),
    hasCredentials: hasCredentials(headers),
    place: `${method} ${origin ?? "null"}${path}`,
    origin,
    path,
    site,
    url: withoutFragment(address, facts.url),
    parts,
    crossSite,
    firstParty: !crossSite && sameSite(site, siteOf(facts.mainUrl ?? "")) && headerOf(headers, "origin") !== "null",
    isReport: isReport(facts, isUnsafe),
    // A page loads hundreds of pictures: what only effects are judged by is worked out for them alone.
    ...(isUnsafe || isByGet
      ? judgedBy({ facts, address, parts, fields, override, operations, crossSite, contentType, polled })
      : { effect: "unknown", operation: NO_OPERATION, chosen: [] }),
  };
}

interface Understood {
  readonly facts: EffectFacts;
  readonly address: Address | null;
  readonly parts: BodyParts;
  readonly fields: readonly BodyField[];
  readonly override: string | null;
  readonly operations: Operations;
  readonly crossSite: boolean;
  readonly contentType: string;
  readonly polled: Polled | null;
}

const NO_OPERATION: Described["operation"] = {
  key: "",
  verbs: [],
  path: [],
  isDispatcher: false,
  isTransport: false,
  hasIdBefore: false,
  slots: [],
};

function isGraphql({ found, readOnly }: Operations, query: readonly BodyField[]): boolean {
  return (
    readOnly ||
    found.some(({ kind }) => kind !== "method") ||
    query.some(({ name }) => name === "operationName" || name === "extensions")
  );
}

function judgedBy(understood: Understood): Pick<Described, "effect" | "operation" | "chosen"> {
  const { facts, address, parts, fields, operations, contentType, polled } = understood;
  const classed = { ...understood, method: facts.method, operations: operations.found };
  return {
    effect: effectClassOf({ ...classed, element: facts.element }),
    operation: operationOf({
      method: facts.method,
      address,
      contentType,
      parts,
      fields,
      operations: operations.found,
      polled,
      written: writtenHeaders(facts.headers),
    }),
    chosen: chosenOf(facts, address, parts, fields),
  };
}

function isGetEffect(
  facts: EffectFacts,
  address: Address | null,
  override: string | null,
  operations: Operations,
): boolean {
  if (facts.kind === "socket") return false;
  if (override !== null && !isSafeMethod(override)) return true;
  if (!canBeGetEffect(facts.kind, facts.isPrivateSite)) return false;
  if (address === null) return true;
  // about:, data: and blob: leave nothing.
  if (address.place.origin === null) return false;
  if (operations.found.some(({ kind }) => kind === "mutation" || kind === "subscription")) return true;
  if (address.query.some(({ name, value }) => name === "query" && looksLikeMutation(value) && !operations.complete))
    return true;
  if (facts.body.kind !== "none") return true;
  return isGetEffectAddress(address, facts.isPrivateSite) || (facts.isPrivateSite && isGetEffectLabel(facts));
}

/** By the document's address, and by the header that scripts cannot write. */
function isCrossSite({ documentUrl, headers }: EffectFacts, address: Address | null): boolean {
  const site = address?.place.site ?? null;
  if (!sameSite(site, siteOf(documentUrl ?? ""))) return true;
  const origin = headerOf(headers, "origin");
  return origin !== null && origin !== "null" && !sameSite(site, siteOf(origin));
}

function isReport({ resourceType, headers, body }: EffectFacts, isUnsafe: boolean): boolean {
  if (resourceType === "Ping" || resourceType === "CSPViolationReport") return true;
  const type = contentTypeOf(body.kind === "none" ? (headerOf(headers, "content-type") ?? "") : body.contentType)?.type;
  return isUnsafe && (type === "application/reports+json" || type === "application/csp-report");
}

function withoutFragment(address: Address | null, url: string): string {
  const { hash, href } = address?.place.url ?? { hash: "", href: url };
  return hash === "" ? href.replace(/#$/, "") : href.slice(0, -hash.length);
}

function chosenOf(
  { headers }: EffectFacts,
  address: Address | null,
  parts: BodyParts,
  fields: readonly BodyField[],
): readonly string[] {
  const url = address?.place.url.href ?? "";
  return [
    url,
    percentDecoded(url),
    ...(address?.segments ?? []),
    ...[...(address?.query ?? []), ...parts.fields, ...(fields === parts.fields ? [] : fields)].flatMap(
      ({ name, value }) => [name, value],
    ),
    ...parts.files.flatMap(({ name, filename }) => [name, filename]),
    parts.text,
    ...writtenHeaders(headers).flat(),
  ].filter((text) => text !== "");
}

/** What a page chose of the headers, in their order. */
export function writtenHeaders(
  headers: Readonly<Record<string, string>>,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).filter(([name]) => !OF_THE_BROWSER.has(name.toLowerCase()) && !/^sec-/i.test(name));
}
