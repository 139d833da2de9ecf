import { expect, onTestFinished, test } from "vitest";
import { oneOf } from "../runs.ts";
import {
  buttonSite,
  type Connected,
  connectHttp,
  elapsed,
  GENERATIONS,
  type Generation,
  LIMIT_MS,
  type Sitter,
  serve,
  stateDirectory,
} from "./support.ts";

// Several clients of one token share a browser, as tabs of one window do. Each is asked about what it does itself, and
// told of it.

const TOKEN = "the-token-of-the-test";
/** Longer than any program pretends to think. */
const THINKS_MS = 400;

interface Person {
  readonly asked: string[];
  readonly sitter: Sitter;
}

function person(answer: "once" | "no", until: Promise<void> = Promise.resolve()): Person {
  const asked: string[] = [];
  return {
    asked,
    sitter: async (message) => {
      asked.push(message);
      await Promise.all([until, elapsed(THINKS_MS)]);
      return { action: "accept", content: { answer } };
    },
  };
}

async function begun(clients: readonly (readonly [Generation, Person])[], ...args: readonly string[]) {
  const site = await buttonSite();
  const state = stateDirectory();
  const { url, end } = await serve(["--private", site.url, "--approve", "elicitation", ...args], [TOKEN], state.path);
  onTestFinished(async () => {
    await end();
    await site.close();
    state.remove();
  });
  const connected = await Promise.all(
    clients.map(([generation, { sitter }]) => connectHttp(generation, url, TOKEN, sitter)),
  );
  await connected[0]?.call("navigate", { url: site.url });
  return { site, clients: connected };
}

const PAIRS = GENERATIONS.flatMap((one) => GENERATIONS.map((other) => [one, other] as const));
const click = (client: Connected | undefined, name: string) => client?.call("click", { target: `button "${name}"` });
const posted = (site: Awaited<ReturnType<typeof buttonSite>>) =>
  site.hits.filter(({ method }) => method === "POST").map(({ path }) => path);

test.each(oneOf(3, PAIRS))(
  "two of them, %s and %s, click at once: each is asked about its own click at most, and what leaves had its yes",
  { timeout: LIMIT_MS },
  async (one, other) => {
    let letGo = (): void => {};
    const decided = new Promise<void>((resolve) => (letGo = resolve));
    const [ada, bob] = [person("once", decided), person("no")];
    const { site, clients } = await begun([
      [one, ada],
      [other, bob],
    ]);
    const first = click(clients[0], "Close it");
    await expect.poll(() => ada.asked.length).toBe(1);
    // What acts waits for the first one's answer, and says so; what reads does not.
    const second = await click(clients[1], "Give up later");
    expect(second?.structured).toMatchObject({
      ok: false,
      pending: { note: expect.stringContaining("Nothing was done") },
    });
    expect((await clients[1]?.call("tabs"))?.structured).toMatchObject({ ok: true });
    expect([bob.asked, posted(site)]).toEqual([[], []]);
    letGo();
    expect((await first)?.structured).toMatchObject({ ok: true });
    expect(posted(site)).toEqual(["/change"]);

    const again = await click(clients[1], "Give up later");
    expect(again?.structured).toMatchObject({ ok: false, refused: { rule: "effects.denied" } });
    expect([ada.asked.length, bob.asked.length]).toEqual([1, 1]);
    expect(bob.asked[0]).toContain("/given");
    expect(posted(site)).toEqual(["/change"]);
  },
);

test.each(oneOf(2, GENERATIONS))(
  "two of them, %s, click in the same moment",
  { timeout: LIMIT_MS },
  async (generation) => {
    const [ada, bob] = [person("once"), person("once")];
    const { site, clients } = await begun([
      [generation, ada],
      [generation, bob],
    ]);
    const results = await Promise.all([click(clients[0], "Close it"), click(clients[1], "Open it")]);
    // Whose comes first is open; nobody is asked about the other's, and nobody is told of a no that nobody said.
    const told = results.map((result) => result?.structured);
    expect(JSON.stringify(told)).not.toContain("effects.denied");
    for (const [at, { asked }] of [ada, bob].entries()) {
      if (told[at]?.ok === true) expect(asked).toHaveLength(1);
      else expect([told[at], asked]).toEqual([expect.objectContaining({ pending: expect.anything() }), []]);
    }
    expect(posted(site)).toHaveLength(ada.asked.length + bob.asked.length);
  },
);

const QUESTION_SECONDS = 8;
/** Less than a question lives by itself. */
const AT_ONCE_MS = 30_000;
const never = new Promise<void>(() => {});

/** One of two is asked, and the other waits for that. */
async function askedAndWaiting(generations: readonly [Generation, Generation], ...args: readonly string[]) {
  const [ada, bob] = [person("once", never), person("once")];
  const { site, clients } = await begun(
    [
      [generations[0], ada],
      [generations[1], bob],
    ],
    ...args,
  );
  click(clients[0], "Close it")?.catch(() => {});
  await expect.poll(() => ada.asked.length).toBe(1);
  const waits = (await click(clients[1], "Give up later"))?.structured;
  expect(waits).toMatchObject({ pending: { approval: "q1" } });
  return { site, ada, bob, clients };
}

function onlyBobs({ site, ada, bob }: Awaited<ReturnType<typeof askedAndWaiting>>): void {
  expect([ada.asked.length, bob.asked.length]).toEqual([1, 1]);
  expect(bob.asked[0]).toContain("/given");
  expect(posted(site)).toEqual(["/given"]);
}

test.each(oneOf(2, GENERATIONS))(
  "a 2025 client that goes away while it is asked takes its question with it; one of %s goes on",
  { timeout: LIMIT_MS },
  async (other) => {
    const place = await askedAndWaiting(["2025", other]);
    const [ada, bob] = place.clients;
    await ada?.close();
    await expect
      .poll(async () => (await click(bob, "Give up later"))?.structured, { timeout: AT_ONCE_MS })
      .toMatchObject({ ok: true });
    onlyBobs(place);
  },
);

// Its request was over when it got the question: nothing shows that it is gone.
test.each(oneOf(2, GENERATIONS))(
  "a 2026-07-28 client that never comes back is waited for as long as a question lives; one of %s goes on then",
  { timeout: LIMIT_MS },
  async (other) => {
    const place = await askedAndWaiting(["2026-07-28", other], "--question-seconds", String(QUESTION_SECONDS));
    const [ada, bob] = place.clients;
    await ada?.close();
    expect((await bob?.call("tabs"))?.structured).toMatchObject({ ok: true });
    expect((await bob?.call("wait_for", { approval: "q1" }))?.structured).toMatchObject({ ok: true, answer: "no" });
    expect(posted(place.site)).toEqual([]);
    expect((await click(bob, "Give up later"))?.structured).toMatchObject({ ok: true });
    onlyBobs(place);
  },
);
