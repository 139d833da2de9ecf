import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ErrorCode, type OpenedSession, openSession } from "../../src/index.ts";
import { connect, GENERATIONS } from "../clients.ts";
import { runs } from "../runs.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import { answer, expectUsable, type PropertySchema, propertiesOf, requiredOf, SLACK_MS, untyped } from "./support.ts";

/** In every wrong value: no message may repeat it. */
const MARK = "zqmark";
const MEGABYTE = "x".repeat(1_000_000);
const MESSAGE_MAX_CHARACTERS = 1_000;
const ACTION_MS = 300;

let server: RecordingServer;
let session: OpenedSession;
beforeAll(async () => {
  server = await recordingServer();
  server.html("/", "<title>Page</title><h1>Here</h1><button>Go</button>");
  const { url } = server;
  // Whatever address a generator thinks of: nothing leaves this machine.
  session = await openSession({
    ...yes,
    private: [url],
    actionTimeoutMs: ACTION_MS,
    rule: (request) => (request.url.startsWith(`${url}/`) ? null : "elsewhere"),
  });
});
afterAll(async () => {
  await session.close();
  await server.close();
});

/** A wrong call: told at once, without a browser, naming what is wrong and repeating no value. */
async function expectBad(tool: string, args: unknown, code: ErrorCode = "bad_arguments"): Promise<string> {
  const envelope = await answer(session, tool, args, 0);
  expect(envelope).toEqual({ ok: false, error: { code, message: expect.any(String) } });
  const message = envelope.error?.message ?? "";
  expect(message.length).toBeLessThan(MESSAGE_MAX_CHARACTERS);
  expect(message).not.toContain("\n");
  expect(message).not.toContain(MARK);
  return message;
}

function wrongValues(schema: PropertySchema): readonly unknown[] {
  const never = [null, {}, { [MARK]: MARK }, [[MARK]], () => MARK, Symbol("s"), 1n];
  switch (schema.type) {
    case "string":
      return [
        ...never,
        5,
        true,
        [MARK],
        MEGABYTE,
        ...(schema.enum === undefined ? [] : [MARK, ` ${String(schema.enum[0])}`]),
      ];
    case "boolean":
      return [...never, MARK, "true", 0, 1];
    case "integer":
      return [
        ...never,
        MARK,
        "5",
        true,
        -1,
        1.5,
        1e9,
        1e300,
        -1e300,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
      ];
    case "array":
      return [...never, MARK, 5, [], [null], [MEGABYTE], Array.from({ length: 100_000 }, () => "x")];
    default:
      throw new Error(`No wrong values are known for ${JSON.stringify(schema)}`);
  }
}

test("every tool takes an optional deadline", async () => {
  expect(session.tools.map((tool) => tool.name)).toEqual(
    expect.arrayContaining(["navigate", "click", "type_text", "tabs"]),
  );
  for (const tool of session.tools) {
    expect(propertiesOf(tool), tool.name).toHaveProperty("timeout_ms");
    for (const timeout of [0, -1, 1.5, 1e12, "5", null, Number.NaN]) {
      expect(await expectBad(tool.name, { ...requiredOf(tool), timeout_ms: timeout })).toContain("timeout_ms");
    }
  }
});

test("a wrong value of any argument of any tool names the argument", async () => {
  for (const tool of session.tools) {
    for (const [name, schema] of Object.entries(propertiesOf(tool))) {
      for (const value of wrongValues(schema))
        expect(await expectBad(tool.name, { ...requiredOf(tool), [name]: value }), `${tool.name}.${name}`).toContain(
          name,
        );
    }
  }
});

test("a missing argument is named", async () => {
  for (const tool of session.tools) {
    for (const name of Object.keys(requiredOf(tool))) {
      const { [name]: _left, ...others } = requiredOf(tool);
      expect(await expectBad(tool.name, others), tool.name).toContain(name);
    }
  }
});

test("an unknown argument is named, with those there are", async () => {
  const keys = [
    "unknown",
    "Timeout_ms",
    "timeoutMs",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "prototype",
    "",
    "🦊",
  ];
  for (const tool of session.tools) {
    for (const key of keys) {
      // By JSON, as a face gets it: only so `__proto__` is a key of its own.
      const args: unknown = JSON.parse(
        `${JSON.stringify(requiredOf(tool)).slice(0, -1)}${Object.keys(requiredOf(tool)).length > 0 ? "," : ""}${JSON.stringify(key)}:{"${MARK}":1}}`,
      );
      const message = await expectBad(tool.name, args);
      expect(message, tool.name).toContain(JSON.stringify(key));
      expect(message).toContain("timeout_ms");
    }
  }
  expect(({} as Record<string, unknown>)[MARK]).toBeUndefined();
});

test("names that are huge, or a huge number of them, are cut", async () => {
  await expectBad("snapshot", { [MEGABYTE]: 1 });
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]));
  expect(await expectBad("snapshot", many)).toContain("99995 more");
});

test.each([
  ["a list", []],
  ["a string", MARK],
  ["a number", 1],
  ["true", true],
  ["false", false],
  ["a function", () => MARK],
])("arguments that are %s are none", async (_what, args) => {
  for (const tool of session.tools) expect(await expectBad(tool.name, args)).toContain(`${tool.name} takes: `);
});

test("objects that break when they are read are bad arguments", async () => {
  const thrower = {
    get url(): string {
      throw new Error(MARK);
    },
  };
  const cyclic: Record<string, unknown> = {};
  cyclic.url = cyclic;
  const proxy = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error(MARK);
      },
      get() {
        throw new Error(MARK);
      },
    },
  );
  for (const args of [thrower, cyclic, proxy]) await expectBad("navigate", args);
});

test("what only a tool knows of its arguments is checked too", async () => {
  expect(await expectBad("navigate", {})).toContain("exactly one of");
  expect(await expectBad("navigate", { url: "/", ref: "e1" })).toContain("exactly one of");
  expect(await expectBad("wait_for", {})).toContain("exactly one of");
  expect(await expectBad("wait_for", { text: "a", target: "e1" })).toContain("exactly one of");
  expect(await expectBad("tabs", { action: "select" })).toContain("tab");
  expect(await expectBad("tabs", { action: "list", tab: "t1" })).toContain("tab");
  expect(await expectBad("find", {})).toContain("text");
  expect(await expectBad("screenshot", { full_page: true, target: "e1" })).toContain("full_page");
});

test.each(["", " ", "NAVIGATE", "navigate ", "__proto__", "constructor", "toString", "🦊", `${MARK}${MEGABYTE}`])(
  "no tool is called like #%#",
  async (name) => {
    expect(await expectBad(name, {}, "unknown_tool")).toContain("navigate");
  },
);

test("none of this has started a browser", async () => {
  const events: string[] = [];
  const stop = session.events.subscribe((event) => events.push(event.kind));
  await expectBad("navigate", { url: 5 });
  stop();
  expect(events).toEqual([]);
});

describe("whatever the arguments are", () => {
  const CODES: readonly string[] = [
    ...[
      "bad_arguments",
      "no_match",
      "ambiguous",
      "stale",
      "covered",
      "disabled",
      "timeout",
      "still_loading",
      "navigation_failed",
    ],
    ...["page_ended", "dialog_open", "too_large"],
  ];
  const marked = fc.oneof(
    { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "e1",
        'button "Go"',
        "t1",
        "k1",
        "Enter",
        "Here",
        "http:///",
        "//",
        "file:/",
        ` \0${MARK}`,
        0,
        -1,
        1e21,
      ),
    },
  );

  test("the answer is an envelope, in time, and the session works on", { timeout: 60_000 }, async () => {
    await expectUsable(session, `${server.url}/`, "Here");
    const call = fc.constantFrom(...session.tools).chain((tool) =>
      fc.record({
        name: fc.constant(tool.name),
        args: fc.oneof(
          { weight: 1, arbitrary: fc.jsonValue() },
          { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(propertiesOf(tool))), marked) },
          // As good as right: one argument is arbitrary.
          {
            weight: 4,
            arbitrary: fc
              .tuple(
                fc.constantFrom(
                  ...Object.keys(propertiesOf(tool)).filter((name) => name !== "timeout_ms"),
                  "timeout_ms",
                ),
                marked,
              )
              .map(([name, value]) => ({ ...requiredOf(tool), [name]: value })),
          },
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(call, async ({ name, args }) => {
        // Converting another kind of value could itself throw.
        const withinMs =
          typeof args === "object" && args !== null && "timeout_ms" in args && typeof args.timeout_ms === "number"
            ? args.timeout_ms
            : 0;
        const envelope = await answer(session, name, args, Math.max(withinMs, 5_000));
        expect(typeof envelope.ok).toBe("boolean");
        expect(envelope.ok).toBe(envelope.error === undefined && envelope.refused === undefined);
        if (envelope.error !== undefined) {
          expect(CODES).toContain(envelope.error.code);
          expect(envelope.error.message.length).toBeLessThan(MESSAGE_MAX_CHARACTERS);
          expect(envelope.error.message).not.toContain(MARK);
        }
        if (envelope.refused !== undefined)
          expect(`${envelope.refused.reason}${envelope.refused.remedy}`).not.toContain(MARK);
      }),
      { numRuns: runs(100) },
    );
    await expectUsable(session, `${server.url}/`, "Here");
  });
});

describe.each(GENERATIONS)("a stock MCP client of revision %s", (generation) => {
  test("gets every bad argument as a result", async () => {
    await using client = await connect(generation, []);
    await client.tools();
    const bad = async (name: string, args: Record<string, unknown>): Promise<string> => {
      const began = performance.now();
      const { isError, text } = await client.call(name, args);
      expect(performance.now() - began).toBeLessThan(SLACK_MS);
      expect(isError).toBe(true);
      expect(text.length).toBeLessThan(2 * MESSAGE_MAX_CHARACTERS);
      expect(text).not.toContain(MARK);
      return text;
    };
    expect(await bad("navigate", { url: 5 })).toContain("bad_arguments");
    expect(await bad("navigate", { url: MARK + MEGABYTE })).toContain("url");
    expect(await bad("navigate", {})).toContain("exactly one of");
    expect(await bad("click", { target: "e1", unknown: MARK })).toContain("unknown");
    expect(await bad("no_such_tool", { a: MARK })).toContain("unknown_tool");
  });
});

test("a call that is no call at all still has a result", async () => {
  const { call } = untyped(session);
  expect((await call("snapshot", undefined)).envelope.ok).toBe(true);
  expect((await call("snapshot", null)).envelope.ok).toBe(true);
});
