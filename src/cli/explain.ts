import {
  canonicalUrl,
  isFirstUse,
  PLAIN_FACTS,
  type ReachFacts,
  type ReachPolicy,
  type ReachSteps,
  reachKindOf,
  reachPolicy,
  reachSteps,
  redactUrl,
} from "../gate/index.ts";
import type { RequestKind } from "../types.ts";
import type { ExplainArgs, Run } from "./command.ts";
import { EXIT } from "./exit.ts";

type Request = ExplainArgs["requests"][number];

/** Says of each request, without a browser, which rule of reach decides about it. Exit code 3 when one is refused. */
export const run: Run<ExplainArgs> = async (config, args, io) => {
  const policy = reachPolicy(config);
  const explained = args.requests.map((request) => explain(policy, request, args.from));
  const isObserved = config.profile === "observe";
  for (const each of explained) io.stdout.write(args.json ? `${JSON.stringify(each)}\n` : `${textOf(each)}\n`);
  if (isObserved && !args.json) io.stdout.write("\nThe profile is observe: what reach.site and the other rules on sites refuse is recorded and let go.\n");
  return explained.some(({ verdict }) => verdict === "refuse") ? EXIT.refused : EXIT.done;
};

interface Explained {
  readonly request: string;
  readonly kind: RequestKind;
  /** The host that counts, when the address has one. */
  readonly host: string | null;
  readonly verdict: "allow" | "refuse";
  readonly rule: string;
  /** Rules that were asked before and left it to the next. */
  readonly passed: readonly string[];
  readonly why: string;
  readonly remedy: string | null;
  readonly operator: string | null;
}

function explain(policy: ReachPolicy, request: Request, from: string | null): Explained {
  const facts: ReachFacts = {
    ...PLAIN_FACTS,
    ...request,
    requester: from,
    mainUrl: from,
    by: from === null ? "call" : "page",
    agentChose: from === null,
  };
  const steps = reachSteps(policy, facts);
  const place = canonicalUrl(request.url);
  const host = place.ok && place.origin !== null ? place.host : null;
  const shown = { request: `${request.method} ${redactUrl(request.url)}`, kind: request.kind, host, passed: steps.passed };
  if (from === null && request.kind === "navigation" && isFirstUse(policy, steps.verdict)) {
    return {
      ...shown,
      verdict: "allow",
      rule: "reach.firstUse",
      why: "No site is named: as the first navigation it comes into scope.",
      remedy: null,
      operator: null,
    };
  }
  return { ...shown, ...wordsOf(steps, request) };
}

function wordsOf({ verdict }: ReachSteps, request: Request): Omit<Explained, "request" | "kind" | "host" | "passed"> {
  if (verdict.verdict === "refuse") return { verdict: "refuse", rule: verdict.rule, why: verdict.reason, remedy: verdict.remedy, operator: verdict.operator };
  const isEffect = !["GET", "HEAD", "OPTIONS"].includes(request.method) && reachKindOf(request.kind) !== "subresource";
  return {
    verdict: "allow",
    rule: verdict.rule,
    why: isEffect ? "By reach; whether it may change something is another rule's matter." : "By reach.",
    remedy: null,
    operator: null,
  };
}

function textOf(each: Explained): string {
  return [
    `${each.request} (${each.kind}${each.host === null ? "" : `, host ${each.host}`})`,
    `  ${each.verdict}  ${each.rule}: ${each.why}`,
    ...(each.passed.length === 0 ? [] : [`  before it: ${each.passed.join(", ")}`]),
    ...(each.remedy === null ? [] : [`  instead: ${each.remedy}`]),
    ...(each.operator === null ? [] : [`  to allow it: ${each.operator}`]),
  ].join("\n");
}
