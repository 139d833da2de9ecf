import { questionDigest } from "../approval/digest.ts";
import { differingLines, effectQuestion } from "../approval/question.ts";
import { hasCredentials } from "../gate/index.ts";
import { EFFECT_OFFERS } from "../rules/index.ts";
import type { Choice, EffectClass, Question } from "../types.ts";
import type { Asking, Waiting } from "./asking.ts";
import type { Held, Input } from "./inputs.ts";
import { SECRET, type Typed } from "./typed.ts";

const MEANS: Readonly<Record<Choice, string>> = { ...EFFECT_OFFERS, no: "no" };

/** Lines that say what is sent. */
const CONTENT = /^(field|repeated field|file|body|operation|method override|credentials)\b/;

/** From the least to the most serious. */
const CLASSES: readonly EffectClass[] = ["reversible", "unknown", "irreversible"];

/** Asks about all that waits of one input. `before`: the lines of the last question about the same places; this one's take their place. */
export function askAboutEffects(asking: Asking, input: Input, typed: Typed, before: Map<string, readonly string[]>): Waiting {
  // The same request twice is one: only one of them can leave.
  const requests = input.held.filter(({ key }, index) => input.held.findIndex((other) => other.key === key) === index);
  const digests = requests.map(({ digest }) => digest);
  const places = [...new Set(requests.map(({ described }) => described.place))];
  const thing = [...places].sort().join(" ");
  const effect = CLASSES[Math.max(...requests.map(({ described }) => CLASSES.indexOf(described.effect)))] ?? "irreversible";
  return asking.ask(places, input.approver, ({ id, expires, code }) => {
    const render = (typedCode: string | null, difference: string | null): Question =>
      effectQuestion({
        id,
        call: input.call,
        expires,
        code: typedCode,
        choices: ["once", "form", "task", "no"],
        means: MEANS,
        digest: questionDigest(digests),
        requestDigests: digests,
        reason: input.reason,
        effect,
        requests: requests.map((held) => shown(held, typed)),
        element: input.element,
        tool: input.tool,
        sourceOf: (value) => typed.sourceOf(value),
        difference,
      });
    const plain = render(null, null);
    const earlier = before.get(thing) ?? [];
    before.set(
      thing,
      plain.lines.filter((line) => CONTENT.test(line)),
    );
    // Whatever cannot be taken back, or not be shown whole, is not waved through with a click.
    return render(plain.choices.includes("task") ? null : code, earlier.length === 0 ? null : differingLines(earlier, plain.lines));
  });
}

/** No more than these: whoever says yes has to see what is sent. */
const SECRET_NAMES = /(^|[._[-])(password|passwd|passphrase|pwd)]?$/i;

function shown({ facts, described }: Held, typed: Typed): Parameters<typeof effectQuestion>[0]["requests"][number] {
  const { parts } = described;
  return {
    method: facts.method,
    url: facts.url,
    override: described.override,
    operations: described.operations,
    fields: parts.fields.map(({ name, value }) => (typed.isSecret(value) || SECRET_NAMES.test(name) ? { name, value: SECRET } : { name, value })),
    files: parts.files,
    text: parts.kind === "text" ? parts.text : null,
    opaqueBytes: parts.kind === "opaque" || (parts.kind === "text" && !parts.whole) ? parts.bytes : null,
    bodyDigest: parts.digest,
    documentUrl: facts.from.documentUrl,
    credentials: hasCredentials(facts.headers),
  };
}
