import type { Question, RequestKind, RuleId } from "../types.ts";
import { oneLine, plainOr, quoted } from "./escape.ts";
import { hostShown, placeLines } from "./place.ts";
import { type Asked, lastLines, questionOf } from "./question.ts";

const MAX_ADDRESS_CHARS = 1_000;
const MAX_WHY_CHARS = 300;
const MAX_HOST_CHARS = 260;
const RULE = /^[a-z]+\.[a-zA-Z]+$/;
const MAX_RULE_CHARS = 60;

/** How the agent came to an address. Sites are of the page with the link, or of the address that redirected. */
export type Way =
  | { readonly by: "agent" }
  | { readonly by: "link"; readonly site: string | null }
  | { readonly by: "redirect"; readonly site: string | null }
  | { readonly by: "page"; readonly site: string | null };

export interface ReachAsked extends Asked {
  readonly url: string;
  readonly kind: RequestKind;
  readonly way: Way;
  readonly rule: RuleId;
  /** Our own fixed words. */
  readonly why: string;
  /** The name that this one may be taken for. */
  readonly imitates: string | null;
}

/**
 * What somebody is asked about a place that is not in scope. Wider answers than "once" are for this site in this task.
 * (A-130)
 */
export function reachQuestion(asked: ReachAsked): Question {
  const place = placeLines(asked.url);
  const address = quoted(asked.url, MAX_ADDRESS_CHARS);
  const lines = [
    KINDS[asked.kind],
    ...place.lines,
    ...lookAlike(asked),
    `address: ${address.line}`,
    wayLine(asked.way),
    `why this is asked: ${plainOr(asked.rule, RULE, MAX_RULE_CHARS)}, ${oneLine(asked.why, MAX_WHY_CHARS)}`,
    ...lastLines(asked),
  ];
  return questionOf(
    asked,
    "reach",
    lines,
    "none",
    place.isKnown && !address.cut ? ["once", "task", "no"] : ["once", "no"],
  );
}

const KINDS: Readonly<Record<RequestKind, string>> = {
  navigation: "a site is to be opened",
  subframe: "a site is to be shown inside of a page",
  data: "a page wants to exchange data with a site",
  subresource: "a page wants a picture, style, script or font of a site",
  worker: "a page wants to run a script of a site",
  prefetch: "a page wants to load something of a site in advance",
  socket: "a page wants to open a lasting connection to a site",
  unknown: "something wants to reach a site",
};

function lookAlike({ url, imitates }: ReachAsked): readonly string[] {
  if (imitates === null) return [];
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return [
    `warning: ${quoted(host, MAX_HOST_CHARS).line} looks like ${quoted(imitates, MAX_HOST_CHARS).line}, and is another name`,
  ];
}

function wayLine(way: Way): string {
  switch (way.by) {
    case "agent":
      return "reached by: an address that the agent wrote";
    case "link":
      return `reached by: a link on a page of ${siteShown(way.site)}`;
    case "redirect":
      return `reached by: a redirect from ${siteShown(way.site)}`;
    case "page":
      return `reached by: a page of ${siteShown(way.site)} by itself`;
  }
}

function siteShown(site: string | null): string {
  return site === null ? "no site" : hostShown(site);
}
