import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../test/runs.ts";
import type { RuleId } from "../types.ts";
import { effectAsked, reachAsked } from "./question.fixture.ts";
import { effectQuestion } from "./question.ts";
import { reachQuestion } from "./reach-question.ts";
import type { AskedRequest, ValueSource } from "./request-facts.ts";

const NASTY = [
  "\n",
  "\r\n",
  '"',
  "\\",
  '\\"',
  "\u001b[31m",
  "\u009b2J",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u2028",
  "\u2029",
  "\ufeff",
  "\u00ad",
  "\u3164",
  "\ud83d",
  "\udc00",
  "🙂",
  "e\u0301\u0301\u0301\u0301\u0301\u0301",
  "         ",
  "site: shop.test",
  "class: reversible",
  "the agent says: ",
  "digest: 0123456789ab",
  'field, in the task: "a" = "b"',
  "שלום",
  "\u0000",
];
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 5 })), { maxLength: 8 })
    .map((parts) => parts.join("")),
  fc.integer({ min: 100, max: 5_000 }).map((length) => "z".repeat(length)),
);
const maybe = fc.option(hostile);
const url = fc.oneof(hostile, fc.webUrl({ withQueryParameters: true }), fc.constant("http://pаypal.com/"));
const request: fc.Arbitrary<AskedRequest> = fc.record({
  method: fc.oneof(hostile, fc.constant("POST")),
  url,
  override: maybe,
  notes: fc.constantFrom([], ["sent by: the page by itself"]),
  headers: fc.array(fc.record({ name: hostile, value: hostile }), { maxLength: 2 }),
  operations: fc.option(fc.array(fc.record({ kind: hostile, name: hostile }), { maxLength: 3 })),
  fields: fc.array(fc.record({ name: fc.oneof(hostile, fc.constantFrom("a", "b")), value: hostile }), {
    maxLength: 12,
  }),
  files: fc.array(fc.record({ name: hostile, filename: hostile, bytes: fc.nat() }), { maxLength: 2 }),
  text: maybe,
  opaqueBytes: fc.option(fc.nat()),
  bodyDigest: maybe,
  documentUrl: fc.option(url),
  credentials: fc.boolean(),
});
const asked = fc
  .record({
    requests: fc.array(request, { maxLength: 4 }),
    lead: fc.option(fc.record({ host: hostile, as: maybe })),
    acts: fc.array(
      fc.record({ tool: hostile, element: fc.option(fc.record({ role: hostile, name: hostile, site: maybe })) }),
      { maxLength: 3 },
    ),
    drafts: fc.nat(3),
    difference: maybe,
    reason: maybe,
    digest: hostile,
    effect: fc.constantFrom("reversible" as const, "irreversible" as const, "unknown" as const),
    source: fc.constantFrom<ValueSource>("task", "agent", "page"),
  })
  .map(({ source, ...differs }) => effectAsked({ ...differs, sourceOf: () => source }));

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** Lines of ours once their quotes are emptied; nothing else may come out. */
const SHOWN = /""(?: \(written right to left\))?(?: \(shown [\d,]+ of [\d,]+ characters, ends with ""\))?/.source;
const WORD = `(?:[A-Za-z0-9_.:[\\]-]+|${SHOWN})`;
const FORMS = [
  `the agent did: (?:nothing that is known to cause this|(?:an act|${WORD})(?: on ${WORD} ${SHOWN} \\(words of a page of (?:no site|${WORD})\\))?)`,
  `request(?: \\d+ of \\d+)?: ${WORD} ${SHOWN}`,
  `site: (?:unknown, the address cannot be read|none, an address of another kind|${WORD})`,
  `host: ${WORD}`,
  `warning: the name has letters that are not ASCII: ${SHOWN} reads ${SHOWN}(?:, it mixes scripts)?(?:, it looks like "")?`,
  `sign in at ${WORD}(?: as ${SHOWN})?: one yes is for all its steps`,
  "[\\d,]+ drafts? of this site left before",
  "sent by: the page by itself",
  `header: ${SHOWN} = ${SHOWN}`,
  "not encrypted: whoever is on the way can read and change it",
  `cross-site: a page of (?:no site|${WORD}) sends this to (?:no site|${WORD})`,
  "asked by: no document is known",
  "credentials: cookies or a sign-in go with it",
  `method override: it asks to be treated as ${WORD}`,
  `operation: ${WORD} ${SHOWN}`,
  `field, (?:in the task|typed by the agent|from the page): ${SHOWN} = ${SHOWN}(?:, ${SHOWN})*`,
  `file: ${SHOWN} = ${SHOWN}, [\\d,]+ bytes?, cannot be inspected`,
  `body, (?:in the task|typed by the agent|from the page): ${SHOWN}`,
  "body: (?:empty|cannot be inspected|[\\d,]+ bytes?, cannot be inspected)",
  "this cannot be shown whole; [a-z0-9,:; ]+",
  "\\d+ requests",
  `repeated field ${SHOWN}: [\\d,]+ values`,
  "\\d+ more repeated names?",
  "class: (?:reversible|irreversible, it cannot be taken back|unknown, perhaps it cannot be taken back)",
  `digest: ${WORD}`,
  `the agent says: ${SHOWN}`,
].map((form) => new RegExp(`^${form}$`));
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

test("no string in any slot makes a line, or anything that cannot be seen", () => {
  fc.assert(
    fc.property(asked, (input) => {
      const { lines } = effectQuestion(input);
      for (const line of lines) {
        expect(line).not.toMatch(UNSEEN);
        if (line.startsWith("not as asked before, then it was: ")) continue;
        const emptied = line.replaceAll(QUOTED, '""');
        expect(FORMS.filter((form) => form.test(emptied)).length, line).toBeGreaterThan(0);
      }
      const starting = (start: string): number => lines.filter((line) => line.startsWith(start)).length;
      expect(starting("the agent did: ")).toBe(Math.max(1, input.acts.length));
      expect(starting("class: ")).toBe(1);
      expect(starting("digest: ")).toBe(1);
      expect(starting("the agent says: ")).toBe(input.reason === null ? 0 : 1);
      expect(lines.length).toBeLessThanOrEqual(60);
      expect(lines.join("\n").length).toBeLessThanOrEqual(8_000);
      if (!lines.some((line) => line.includes("left out: "))) {
        expect(starting("request")).toBe(input.requests.length);
        expect(starting("site: ")).toBe(input.requests.length);
      }
    }),
    { numRuns: runs(120) },
  );
});

/** A text as a line shows it: its words, or how they begin and how many there are. */
const SHOWN_ONE =
  /"((?:[^"\\]|\\.)*)"(?: \(written right to left\))?(?: \(shown ([\d,]+) of ([\d,]+) characters, ends with "((?:[^"\\]|\\.)*)"\))?/g;
const unescaped = (words: string): string => JSON.parse(`"${words}"`);

test("every field stands there with name and value, or it is said how much of it does", () => {
  fc.assert(
    fc.property(asked, (input) => {
      const question = effectQuestion(input);
      const isWhole = !question.lines.some((line) => line.startsWith("this cannot be shown whole"));
      const shown = question.lines
        .filter((line) => line.startsWith("field, "))
        .flatMap((line) => {
          const [name, ...values] = [...line.matchAll(SHOWN_ONE)];
          return values.map((value) => ({ name, value }));
        });
      const fields = input.requests.flatMap((one) => one.fields);
      const leftOut =
        /left out: .*?([\d,]+) fields?/.exec(question.lines.find((line) => line.includes("left out: ")) ?? "")?.[1] ??
        "0";
      expect(shown.length + Number(leftOut.replaceAll(",", ""))).toBe(fields.length);
      for (const [index, found] of shown.entries()) {
        for (const [match, text] of [
          [found.name, fields[index]?.name ?? "missing"],
          [found.value, fields[index]?.value ?? "missing"],
        ] as const) {
          const words = unescaped(match?.[1] ?? "");
          if (match?.[3] === undefined) expect(words).toBe(text);
          else {
            expect(isWhole).toBe(false);
            expect([words, match[2], match[3]]).toEqual([
              text.slice(0, words.length),
              words.length.toLocaleString("en"),
              text.length.toLocaleString("en"),
            ]);
            expect(text.endsWith(unescaped(match[4] ?? ""))).toBe(true);
          }
        }
      }
      if (!isWhole) expect([question.choices, question.effect === "reversible"]).toEqual([["once", "no"], false]);
    }),
    { numRuns: runs(120) },
  );
});

test("questions about places keep their form, too", () => {
  const way = fc.oneof(
    fc.constant({ by: "agent" as const }),
    fc.record({ by: fc.constantFrom("link" as const, "redirect" as const, "page" as const), site: maybe }),
  );
  fc.assert(
    fc.property(
      fc.record({ url, way, why: hostile, reason: maybe, imitates: maybe, digest: hostile, rule: hostile }),
      ({ rule, ...differs }) => {
        const { lines } = reachQuestion(reachAsked({ ...differs, rule: rule as RuleId }));
        const labels = [
          "a site is to be opened",
          "site: ",
          "host: ",
          "warning: ",
          "not encrypted: ",
          "address: ",
          "reached by: ",
          "why this is asked: ",
          "digest: ",
          "the agent says: ",
        ];
        for (const line of lines) {
          expect(line).not.toMatch(UNSEEN);
          expect(labels.some((label) => line.startsWith(label))).toBe(true);
        }
        for (const label of ["site: ", "address: ", "reached by: ", "why this is asked: ", "digest: "])
          expect(lines.filter((line) => line.startsWith(label))).toHaveLength(1);
      },
    ),
    { numRuns: runs(100) },
  );
});
