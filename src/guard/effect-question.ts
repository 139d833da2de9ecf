import { questionDigest, requestDigest } from "../approval/digest.ts";
import { differingLines, effectQuestion, isShownWhole } from "../approval/question.ts";
import { hasCredentials, isCredentialName, writtenHeaders } from "../gate/index.ts";
import { EFFECT_OFFERS, offersOf } from "../rules/index.ts";
import type { Approver, Choice, EffectClass, Intent, Question, Site } from "../types.ts";
import type { Asking, Waiting } from "./asking.ts";
import type { Held, Input } from "./inputs.ts";
import { closedKey } from "./places.ts";
import type { SignInAsked } from "./sign-in.ts";
import { SECRET, type Typed } from "./typed.ts";

const MEANS: Readonly<Record<Choice, string>> = { ...EFFECT_OFFERS, no: "no" };

/** Where no form is sent but a page saves by and by. */
const EDITS = "edits of this kind in this document, until it is left";
const CHOICES: readonly Choice[] = ["once", "form", "task", "no"];

/** Lines that say what is sent. */
const CONTENT = /^(field|repeated field|file|body|header|operation|method override|credentials)\b/;

/** From the least to the most serious. */
const CLASSES: readonly EffectClass[] = ["reversible", "unknown", "irreversible"];
/** A cause is told with its time from then on. */
const LATE_MS = 3_000;
const MS_PER_SECOND = 1_000;
const MAX_FREED = 12;

export interface EffectsAsked {
  readonly asking: Asking;
  /** Of what it holds, as much is asked about as can be shown whole. */
  readonly input: Input;
  readonly approver: Approver | undefined;
  readonly typed: Typed;
  /** The lines of the last question about the same places; this one's take their place. */
  readonly before: Map<string, readonly string[]>;
  readonly signIn: SignInAsked | null;
  /** How many drafts of that site have passed. */
  readonly drafts: (site: Site | null) => number;
  readonly effectOf: (held: Held) => EffectClass;
}

/** A question, and what stands in it. */
export interface AskedAbout {
  readonly waiting: Waiting;
  readonly held: readonly Held[];
}

/**
 * Asks about what waits of one input, the most serious first: all of it, or the first alone where not all can be shown.
 */
export function askAboutEffects(about: EffectsAsked): AskedAbout {
  const { asking, input, before } = about;
  // The same request twice is one: only one of them can leave.
  const all = input.held.filter(({ key }, index) => input.held.findIndex((other) => other.key === key) === index);
  const draw = (requests: readonly Held[]) => drawn(about, requests);
  const requests = all.length > 1 && !isShownWhole(draw(all)(PROBE, null, null)) ? all.slice(0, 1) : all;
  const places = [...new Set(requests.map(({ described }) => described.place))];
  // One place may take many operations: only the same one is compared with what was asked before.
  const thing = [...new Set(requests.map(({ described }) => closedKey(described)))].sort().join(" ");
  const waiting = asking.ask(places, about.approver, ({ id, expires, code }) => {
    const render = (typedCode: string | null, difference: string | null): Question =>
      effectQuestion(draw(requests)({ id, expires }, typedCode, difference));
    const plain = render(null, null);
    const earlier = before.get(thing) ?? [];
    before.set(
      thing,
      plain.lines.filter((line) => CONTENT.test(line)),
    );
    // Whatever cannot be taken back, or not be shown whole, is not waved through with a click.
    return render(
      plain.choices.includes("task") || about.signIn !== null ? null : code,
      earlier.length === 0 ? null : differingLines(earlier, plain.lines),
    );
  });
  const keys = new Set(requests.map(({ key }) => key));
  return { waiting, held: input.held.filter(({ key }) => keys.has(key)) };
}

/** Asks about a socket that a page has open, before the agent's first input there. */
export function askAboutSocket(about: {
  readonly asking: Asking;
  readonly intent: Intent;
  readonly approver: Approver | undefined;
  readonly place: string;
  readonly site: Site;
  readonly typed: Typed;
  readonly now: number;
  readonly sessionId: string;
}): Waiting {
  const { asking, intent, approver, place, sessionId } = about;
  const digest = requestDigest({
    sessionId,
    method: "GET",
    url: place,
    bodyDigest: null,
    contentType: null,
    documentUrl: null,
  });
  return asking.ask([place], approver, (slot) =>
    effectQuestion({
      id: slot.id,
      expires: slot.expires,
      call: intent.call,
      code: null,
      choices: ["once", "no"],
      means: { once: "this socket, for this session", no: "no" },
      digest: questionDigest([digest]),
      requestDigests: [digest],
      reason: intent.reason ?? null,
      effect: "unknown",
      lead: null,
      drafts: 0,
      acts: [{ tool: intent.tool, element: intent.element }],
      requests: [
        {
          method: "GET",
          url: place,
          override: null,
          operations: null,
          notes: [SOCKET_NOTE],
          headers: [],
          fields: [],
          files: [],
          text: null,
          opaqueBytes: null,
          bodyDigest: null,
          documentUrl: place.replace(/^ws/, "http"),
          credentials: false,
        },
      ],
      sourceOf: () => "page",
      difference: null,
    }),
  );
}

const SOCKET_NOTE = "socket: what goes over it, both ways, cannot be seen by anybody; a yes is for the whole session";

type Asked = Parameters<typeof effectQuestion>[0];
const PROBE: Pick<Asked, "id" | "expires"> = { id: "q0" as Asked["id"], expires: 0 };

function drawn({ input, typed, signIn, drafts, effectOf }: EffectsAsked, requests: readonly Held[]) {
  const digests = requests.map(({ digest }) => digest);
  const effect = CLASSES[Math.max(...requests.map((held) => CLASSES.indexOf(effectOf(held))))] ?? "irreversible";
  const kept = Math.max(0, ...requests.map(({ described }) => drafts(described.site)));
  return (slot: Pick<Asked, "id" | "expires">, code: string | null, difference: string | null): Asked => ({
    ...slot,
    call: input.call,
    code,
    choices: CHOICES.filter((choice) => choice === "no" || requests.every(({ rule }) => choice in offersOf(rule))),
    means: {
      ...MEANS,
      ...(requests.every(({ described }) => described.kind === "data") && { form: EDITS }),
      task: freed(requests),
    },
    digest: questionDigest(digests),
    requestDigests: digests,
    reason: input.reason,
    effect,
    lead: signIn,
    requests: requests.map((held) => shown(held, input, typed)),
    acts: input.acts.map(({ tool, element }) => ({ tool, element })),
    drafts: kept,
    sourceOf: (value) => typed.sourceOf(value),
    difference,
  });
}

/** What the wide answer leaves open: the slots that may have another value then. */
function freed(requests: readonly Held[]): string {
  const names = [
    ...new Set(requests.flatMap(({ described }) => described.operation.slots.map(({ name }) => plainName(name)))),
  ].filter((name) => name !== "");
  if (names.length === 0) return "this operation for the whole task";
  const some = names.slice(0, MAX_FREED).map((name) => `any ${name}`);
  return `this operation for the whole task: ${some.join(", ")}${names.length > MAX_FREED ? ", and more" : ""}`;
}

function plainName(name: string): string {
  if (name.startsWith("path ")) return "id in the address";
  if (name.startsWith("header ")) return "";
  return name
    .replace(/^\?/, "")
    .replace(/[^\w .[\]-]/g, "")
    .slice(0, 40);
}

/** No more than these: whoever says yes has to see what is sent. */
const SECRET_NAMES = /(^|[._[-])(password|passwd|passphrase|pwd)]?$/i;

function shown({ facts, described, at }: Held, input: Input, typed: Typed): Asked["requests"][number] {
  const { parts } = described;
  return {
    method: facts.method,
    url: facts.url,
    override: described.override,
    operations: described.operations,
    notes: [...(facts.kind === "socket" ? [SOCKET_NOTE] : []), ...causeOf(facts.isLater === true, input, at)],
    headers: writtenHeaders(facts.headers).map(([name, value]) => ({
      name,
      value: isHiddenHeader(name) ? SECRET : value,
    })),
    fields: parts.fields.map(({ name, value }) =>
      typed.isSecret(value) || SECRET_NAMES.test(name) ? { name, value: SECRET } : { name, value },
    ),
    files: parts.files,
    text: parts.kind === "text" ? parts.text : null,
    opaqueBytes: parts.kind === "opaque" || (parts.kind === "text" && !parts.whole) ? parts.bytes : null,
    bodyDigest: parts.digest,
    documentUrl: facts.from.documentUrl,
    credentials: hasCredentials(facts.headers),
  };
}

/** Who sends it and when, where that is not plainly the agent's act. */
function causeOf(isLater: boolean, { call, acts, at: begun }: Input, at: number): readonly string[] {
  if (call === null) return ["sent by: the page by itself"];
  const since = at - (acts.findLast((act) => act.at <= at)?.at ?? begun);
  const when = since < LATE_MS ? "" : `, ${Math.round(since / MS_PER_SECOND)} s after that`;
  if (isLater) return [`sent by: the page by itself, as it loaded${when}`];
  return when === "" ? [] : [`sent by: the page${when}`];
}

function isHiddenHeader(name: string): boolean {
  return isCredentialName(name) || /authorization|token|csrf|xsrf|api-?key|secret|session|nonce|crumb/i.test(name);
}
