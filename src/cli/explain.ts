import {
  canonicalUrl,
  isFirstUse,
  PLAIN_FACTS,
  type ReachFacts,
  type ReachPolicy,
  type ReachSteps,
  reachPolicy,
  reachSteps,
  redactUrl,
} from "../gate/index.ts";
import { type Decision, EFFECT_RULES, type EffectRule, type EffectSubject } from "../rules/index.ts";
import type { RequestKind } from "../types.ts";
import type { ExplainArgs, Run } from "./command.ts";
import { EXIT } from "./exit.ts";

type Request = ExplainArgs["requests"][number];

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Says of each request, without a browser, which rule of reach decides about it and which of effects may. Exit code 3
 * when one is refused by reach.
 */
export const run: Run<ExplainArgs> = async (config, args, io) => {
  const policy = reachPolicy(config);
  const explained = args.requests.map((request) => explain(policy, request, args.from));
  const isObserved = config.profile === "observe";
  for (const each of explained) io.stdout.write(args.json ? `${JSON.stringify(each)}\n` : `${textOf(each)}\n`);
  if (isObserved && !args.json)
    io.stdout.write(
      "\nThe profile is observe: what reach.site and the other rules on sites refuse is recorded and let go.\n",
    );
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
  /**
   * The rules of effects that may decide after reach, in the order in which they are asked; none about what changes
   * nothing by its method.
   */
  readonly effects: readonly { readonly rule: string; readonly decides: readonly Decision[] }[];
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
  const shown = {
    request: `${request.method} ${redactUrl(request.url)}`,
    kind: request.kind,
    host,
    passed: steps.passed,
  };
  if (from === null && request.kind === "navigation" && isFirstUse(policy, steps.verdict)) {
    return {
      ...shown,
      verdict: "allow",
      rule: "reach.firstUse",
      why: "No site is named: as the first navigation it comes into scope.",
      remedy: null,
      operator: null,
      effects: effectsOf(request),
    };
  }
  return { ...shown, ...wordsOf(steps), effects: steps.verdict.verdict === "allow" ? effectsOf(request) : [] };
}

function wordsOf({ verdict }: ReachSteps): Omit<Explained, "request" | "kind" | "host" | "passed" | "effects"> {
  if (verdict.verdict === "refuse")
    return {
      verdict: "refuse",
      rule: verdict.rule,
      why: verdict.reason,
      remedy: verdict.remedy,
      operator: verdict.operator,
    };
  return { verdict: "allow", rule: verdict.rule, why: "By reach.", remedy: null, operator: null };
}

function effectsOf({ method, kind }: Request): Explained["effects"] {
  const subject: EffectSubject | null = kind === "socket" ? "socket" : SAFE_METHODS.has(method) ? null : "unsafe";
  const rules: readonly EffectRule[] = EFFECT_RULES;
  return subject === null
    ? []
    : rules.filter((rule) => rule.of.includes(subject)).map(({ id, decides }) => ({ rule: id, decides }));
}

function textOf(each: Explained): string {
  return [
    `${each.request} (${each.kind}${each.host === null ? "" : `, host ${each.host}`})`,
    `  ${each.verdict}  ${each.rule}: ${each.why}`,
    ...(each.effects.length === 0
      ? []
      : [
          "  then the first of these that fits:",
          ...each.effects.map(({ rule, decides }) => `    ${rule}: ${decides.join(" or ")}`),
        ]),
    ...(each.passed.length === 0 ? [] : [`  before it: ${each.passed.join(", ")}`]),
    ...(each.remedy === null ? [] : [`  instead: ${each.remedy}`]),
    ...(each.operator === null ? [] : [`  to allow it: ${each.operator}`]),
  ].join("\n");
}
