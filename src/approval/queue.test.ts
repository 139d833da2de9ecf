import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/runs.ts";
import type { Answer, Approver, Choice, Question, QuestionId } from "../types.ts";
import { FakeClock, settled } from "./clock.fixture.ts";
import { effectAsked } from "./question.fixture.ts";
import { effectQuestion } from "./question.ts";
import { type Answered, createQueue, type Ending, type QueueOptions } from "./queue.ts";

const LIFE_MS = 1_000;
const NOBODY = { answer: "no", by: null };

function question(id = "q1", differs: Partial<Question> = {}): Question {
  return { ...effectQuestion(effectAsked({ id: id as QuestionId, expires: LIFE_MS })), ...differs };
}

/** A channel that says what it is told to; `asked` holds what it was asked and can still say. */
function channel(name: Approver["name"], kind: { person?: boolean; unsure?: boolean } = {}) {
  const asked: { question: Question; signal: AbortSignal; say: (answer: unknown) => void; fail: () => void }[] = [];
  const approver: Approver = {
    name,
    person: kind.person ?? true,
    unsure: kind.unsure ?? false,
    ask: (about, signal) =>
      new Promise<Answer | null>((resolve, reject) => {
        asked.push({
          question: about,
          signal,
          say: (answer) => resolve(answer as Answer | null),
          fail: () => reject(new Error("gone")),
        });
      }),
  };
  return { approver, asked };
}

function setUp(approvers: QueueOptions["approvers"], more: Partial<QueueOptions> = {}) {
  const clock = new FakeClock();
  const told: { id: QuestionId; answered: Answered; ending: Ending }[] = [];
  const queue = createQueue({
    approvers,
    clock: clock.now,
    setTimer: clock.setTimer,
    onAnswer: ({ id }, answered, ending) => void told.push({ id, answered, ending }),
    ...more,
  });
  return { clock, queue, told };
}

describe("order", () => {
  test.each<["say" | "fail"]>([["say"], ["fail"]])("the next one when one is not available (%s)", async (how) => {
    const [one, other] = [channel("console"), channel("terminal")];
    const { queue, told, clock } = setUp([one.approver, other.approver]);
    const { answered } = queue.ask(question());
    await settled();
    expect([one.asked.length, other.asked.length]).toEqual([1, 0]);
    one.asked[0]?.[how](null);
    await settled();
    expect(other.asked[0]?.question).toEqual(question());
    other.asked[0]?.say({ answer: "once" });
    expect(await answered).toEqual({ answer: "once", by: "terminal" });
    expect(told).toEqual([{ id: "q1", answered: { answer: "once", by: "terminal" }, ending: "answered" }]);
    expect([queue.open(), clock.waiting]).toEqual([[], 0]);
  });

  test("a no is an answer", async () => {
    const [one, other] = [channel("console"), channel("terminal")];
    const { queue } = setUp([one.approver, other.approver]);
    const { answered } = queue.ask(question());
    one.asked[0]?.say({ answer: "no" });
    expect(await answered).toEqual({ answer: "no", by: "console" });
    expect(other.asked).toEqual([]);
  });

  test("nobody left is no, and so is nobody at all", async () => {
    const one = channel("console");
    const { queue } = setUp([one.approver]);
    const { answered } = queue.ask(question());
    one.asked[0]?.say(null);
    expect(await answered).toEqual(NOBODY);
    expect(await setUp([]).queue.ask(question()).answered).toEqual(NOBODY);
  });

  test("one that may never answer does not hold up the next, and its signal ends", async () => {
    const [one, other, last] = [
      channel("console", { unsure: true }),
      channel("terminal"),
      channel("command", { person: false }),
    ];
    const { queue } = setUp([one.approver, other.approver, last.approver]);
    const { answered } = queue.ask(question());
    expect([one.asked.length, other.asked.length, last.asked.length]).toEqual([1, 1, 0]);
    one.asked[0]?.say(null);
    await settled();
    expect(last.asked).toEqual([]);
    other.asked[0]?.fail();
    await settled();
    expect(last.asked).toHaveLength(1);
    last.asked[0]?.say({ answer: "form" });
    expect(await answered).toEqual({ answer: "form", by: "command" });
  });

  test("the first valid answer wins, either way", async () => {
    for (const winner of [0, 1]) {
      const channels = [channel("console", { unsure: true }), channel("terminal")];
      const { queue } = setUp(channels.map(({ approver }) => approver));
      const { answered } = queue.ask(question());
      channels[winner]?.asked[0]?.say({ answer: "once" });
      expect((await answered).by).toBe(winner === 0 ? "console" : "terminal");
      channels[1 - winner]?.asked[0]?.say({ answer: "task" });
      expect(channels[1 - winner]?.asked[0]?.signal.aborted).toBe(true);
      expect((await answered).answer).toBe("once");
    }
  });

  test("elicitation stands for the approver of the call", async () => {
    const [placeholder, ofCall, last] = [channel("elicitation"), channel("elicitation"), channel("terminal")];
    for (const place of ["elicitation" as const, placeholder.approver]) {
      const { queue } = setUp([place, last.approver]);
      void queue.ask(question("q1"), ofCall.approver);
      void queue.ask(question("q2"));
      expect(ofCall.asked.map((one) => one.question.id)).toEqual(["q1"]);
      expect(last.asked.map((one) => one.question.id)).toEqual(["q2"]);
      expect(placeholder.asked).toEqual([]);
      ofCall.asked.length = 0;
      last.asked.length = 0;
    }
    const { queue } = setUp(["elicitation"]);
    expect([queue.canAsk(), queue.canAsk(ofCall.approver)]).toEqual([false, true]);
    expect(setUp([last.approver]).queue.canAsk()).toBe(true);
    const without = setUp([last.approver]);
    void without.queue.ask(question(), ofCall.approver);
    expect(ofCall.asked).toEqual([]);
  });
});

describe("what an answer is worth", () => {
  const CODE = "XY34";
  test.each<[string, unknown, Choice | null]>([
    ["the code", { answer: "once", code: CODE }, "once"],
    ["the code, typed carelessly", { answer: "once", code: " xy34 " }, "once"],
    ["no without a code", { answer: "no" }, "no"],
    ["no code", { answer: "once" }, null],
    ["another code", { answer: "once", code: "XY33" }, null],
    ["a code of another kind", { answer: "once", code: [CODE] }, null],
    ["a choice that was not offered", { answer: "task", code: CODE }, null],
    ["another word", { answer: "yes", code: CODE }, null],
    ["a wrapped word", { answer: ["once"], code: CODE }, null],
    ["a bare word", "once", null],
    ["true", true, null],
    ["nothing", {}, null],
    [
      "a trap",
      {
        get answer(): never {
          throw new Error("trap");
        },
      },
      null,
    ],
  ])("%s", async (_, said, answer) => {
    const one = channel("console");
    const { queue } = setUp([one.approver]);
    const { answered } = queue.ask(question("q1", { choices: ["once", "no"], code: CODE }));
    one.asked[0]?.say(said);
    await settled();
    if (answer === null) {
      expect(one.asked).toHaveLength(2);
      expect(queue.open()).toHaveLength(1);
    } else expect(await answered).toEqual({ answer, by: "console" });
  });

  test("after three invalid ones a person's channel is not asked any more, and the next is", async () => {
    const [one, other] = [channel("console"), channel("terminal")];
    const { queue } = setUp([one.approver, other.approver]);
    const { answered } = queue.ask(question("q1", { code: CODE }));
    for (let index = 0; index < 3; index++) {
      expect(other.asked).toEqual([]);
      one.asked[index]?.say({ answer: "once", code: "AAAA" });
      await settled();
    }
    expect(one.asked).toHaveLength(3);
    other.asked[0]?.say({ answer: "once", code: CODE });
    expect(await answered).toEqual({ answer: "once", by: "terminal" });
  });

  test("a program's invalid answer is its last, and it needs no code", async () => {
    const [one, other] = [channel("command", { person: false }), channel("callback", { person: false })];
    const { queue } = setUp([one.approver, other.approver]);
    const { answered } = queue.ask(question("q1", { code: CODE, choices: ["once", "no"] }));
    one.asked[0]?.say({ answer: "task" });
    await settled();
    expect(one.asked).toHaveLength(1);
    other.asked[0]?.say({ answer: "once" });
    expect(await answered).toEqual({ answer: "once", by: "callback" });
  });
});

describe("ends", () => {
  test("too late is no, to the millisecond", async () => {
    for (const [at, answer] of [
      [LIFE_MS - 1, "once"],
      [LIFE_MS, "no"],
      [LIFE_MS + 1, "no"],
    ] as const) {
      const one = channel("console");
      let now = 0;
      // A timer that never fires: the clock alone must do.
      const queue = createQueue({ approvers: [one.approver], clock: () => now, setTimer: () => () => {} });
      const { answered } = queue.ask(question());
      now = at;
      one.asked[0]?.say({ answer: "once" });
      expect((await answered).answer).toBe(answer);
    }
  });

  test("expiry ends the wait by itself and tells the channels", async () => {
    const one = channel("console");
    const { queue, clock, told } = setUp([one.approver]);
    const { answered } = queue.ask(question());
    await clock.move(LIFE_MS);
    expect(await answered).toEqual(NOBODY);
    expect(one.asked[0]?.signal.aborted).toBe(true);
    one.asked[0]?.say({ answer: "once" });
    await settled();
    expect(told.map(({ ending }) => ending)).toEqual(["expired"]);
  });

  test.each([[0], [-1], [Number.NaN]])("one that expires at %s is asked of nobody", async (expires) => {
    const one = channel("console");
    const { queue } = setUp([one.approver]);
    expect(await queue.ask(question("q1", { expires })).answered).toEqual(NOBODY);
    expect([one.asked, queue.open()]).toEqual([[], []]);
  });

  test("a cancelled one is no, later answers and cancels are nothing", async () => {
    const one = channel("console");
    const { queue, told } = setUp([one.approver]);
    const pending = queue.ask(question());
    pending.cancel();
    one.asked[0]?.say({ answer: "once" });
    pending.cancel();
    expect(await pending.answered).toEqual(NOBODY);
    expect(told.map(({ ending }) => ending)).toEqual(["cancelled"]);
  });

  test("a cancel after the answer changes nothing", async () => {
    const one = channel("console");
    const pending = setUp([one.approver]).queue.ask(question());
    one.asked[0]?.say({ answer: "once" });
    await pending.answered;
    pending.cancel();
    expect((await pending.answered).answer).toBe("once");
  });

  test("a closed queue says no to all", async () => {
    const one = channel("console");
    const { queue } = setUp([one.approver]);
    const pending = [queue.ask(question("q1")), queue.ask(question("q2"))];
    queue.close();
    for (const { answered } of [...pending, queue.ask(question("q3"))]) expect(await answered).toEqual(NOBODY);
    expect([one.asked.length, queue.open(), queue.canAsk()]).toEqual([2, [], false]);
  });

  test("what cannot be recorded does not count", async () => {
    const one = channel("console");
    const { queue } = setUp([one.approver], {
      onAnswer: () => {
        throw new Error("disk full");
      },
    });
    const { answered } = queue.ask(question());
    one.asked[0]?.say({ answer: "once" });
    expect(await answered).toEqual(NOBODY);
    expect(queue.open()).toEqual([]);
  });
});

describe("many at once", () => {
  test("a hundred: eight wait, the rest are no at once; an answer holds for its own", async () => {
    const one = channel("console");
    const { queue } = setUp([one.approver]);
    const pending = Array.from({ length: 100 }, (_, index) => queue.ask(question(`q${index}`)));
    expect(queue.open().map(({ id }) => id)).toEqual(["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7"]);
    expect(queue.canAsk()).toBe(false);
    for (const { answered } of pending.slice(8)) expect(await answered).toEqual(NOBODY);
    one.asked.find((asked) => asked.question.id === "q3")?.say({ answer: "once" });
    expect(await pending[3]?.answered).toEqual({ answer: "once", by: "console" });
    expect(queue.open()).toHaveLength(7);
    expect(queue.canAsk()).toBe(true);
    queue.close();
    for (const [index, { answered }] of pending.entries())
      expect((await answered).answer).toBe(index === 3 ? "once" : "no");
  });

  test("the same id twice is asked once", async () => {
    const one = channel("console");
    const { queue } = setUp([one.approver]);
    const first = queue.ask(question("q1"));
    expect(await queue.ask(question("q1")).answered).toEqual(NOBODY);
    one.asked[0]?.say({ answer: "once" });
    expect((await first.answered).answer).toBe("once");
    expect(one.asked).toHaveLength(1);
  });
});

const CODE = "XY34";
const said: fc.Arbitrary<unknown> = fc.constantFrom(
  null,
  "fail",
  { answer: "once", code: CODE },
  { answer: "once" },
  { answer: "form", code: CODE },
  { answer: "task", code: CODE },
  { answer: "no" },
  { answer: "yes" },
  "once",
  42,
);
const step = fc.record({ after: fc.integer({ min: 0, max: 700 }), say: said });
const channelPlan = fc.record({ person: fc.boolean(), unsure: fc.boolean(), steps: fc.array(step, { maxLength: 4 }) });
const questionPlan = fc.record({
  at: fc.integer({ min: 0, max: 900 }),
  hasCode: fc.boolean(),
  cancelAt: fc.option(fc.integer({ min: 0, max: 1_500 })),
});

test("over all schedules: one answer for each question, and never a yes that nobody said in time for that id", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(channelPlan, { maxLength: 4 }),
      fc.array(questionPlan, { minLength: 1, maxLength: 10 }),
      async (channels, questions) => {
        const clock = new FakeClock();
        const spoken: { id: QuestionId; by: string; at: number; valid: Choice[]; signal: AbortSignal }[] = [];
        const approvers = channels.map((plan, number): Approver => {
          const name = (["console", "terminal", "callback", "command"] as const)[number] ?? "console";
          const tries = new Map<QuestionId, number>();
          return {
            name,
            person: plan.person,
            unsure: plan.unsure,
            ask: (about, signal) => {
              expect(signal.aborted).toBe(false);
              const tried = tries.get(about.id) ?? 0;
              tries.set(about.id, tried + 1);
              expect(tried).toBeLessThan(plan.person ? 3 : 1);
              const planned = plan.steps[tried];
              return new Promise((resolve, reject) => {
                if (planned === undefined) return;
                clock.setTimer(() => {
                  const valid = validFor(planned.say, about, plan.person);
                  spoken.push({ id: about.id, by: name, at: clock.now(), valid, signal });
                  if (planned.say === "fail") reject(new Error("gone"));
                  else resolve(planned.say as Answer | null);
                }, planned.after);
              });
            },
          };
        });
        const told = new Map<QuestionId, Answered>();
        const queue = createQueue({
          approvers,
          clock: clock.now,
          setTimer: clock.setTimer,
          onAnswer: ({ id }, answered) => {
            expect(told.has(id)).toBe(false);
            told.set(id, answered);
          },
        });
        const results: { id: QuestionId; askedAt: number; answered: Promise<Answered> }[] = [];
        for (const [index, plan] of questions.entries()) {
          const id = `q${index}` as QuestionId;
          clock.setTimer(() => {
            const about = question(id, {
              expires: clock.now() + LIFE_MS,
              code: plan.hasCode ? CODE : null,
              choices: ["once", "form", "no"],
            });
            const pending = queue.ask(about);
            results.push({ id, askedAt: clock.now(), answered: pending.answered });
            expect(queue.open().length).toBeLessThanOrEqual(8);
            if (plan.cancelAt !== null) clock.setTimer(() => pending.cancel(), plan.cancelAt);
          }, plan.at);
        }
        await clock.move(10_000);
        expect(queue.open()).toEqual([]);
        expect(clock.waiting).toBe(0);
        expect(results).toHaveLength(questions.length);
        for (const { id, askedAt, answered } of results) {
          const result = await answered;
          expect(told.get(id)).toEqual(result);
          if (result.by === null) expect(result.answer).toBe("no");
          else {
            const inTime = spoken.filter(
              (one) =>
                one.id === id &&
                one.by === result.by &&
                one.at < askedAt + LIFE_MS &&
                one.valid.includes(result.answer),
            );
            expect(inTime).toHaveLength(1);
          }
          for (const one of spoken.filter((other) => other.id === id)) expect(one.signal.aborted).toBe(true);
        }
      },
    ),
    { numRuns: runs(80) },
  );
});

function validFor(given: unknown, { choices, code }: Question, isPerson: boolean): Choice[] {
  if (typeof given !== "object" || given === null || !("answer" in given)) return [];
  const hasCode = "code" in given && given.code === CODE;
  return choices.filter(
    (choice) => choice === given.answer && (choice === "no" || code === null || !isPerson || hasCode),
  );
}
