import { cpus, loadavg } from "node:os";
import { expect } from "vitest";
import { descendantsOf, type SeenProcess } from "../../src/browser/processes.fixture.ts";
import type { CallableSession, Envelope, OpenedSession, ToolDescription } from "../../src/index.ts";

/** What a call may take beyond the deadline it was given: the start and end of work on a busy machine. */
export const SLACK_MS = 4_000;

/** That slack where nothing else runs; the more work waits for each processor, the longer it takes. */
export function slackMs(): number {
  const [lately = 0] = loadavg();
  return SLACK_MS * Math.max(1, lately / cpus().length);
}

/** A session as a face or a careless program calls it: any name, any arguments. */
export function untyped(session: OpenedSession): CallableSession {
  return session as unknown as CallableSession;
}

/** One call, which must answer within `withinMs` and the slack. */
export async function answer(
  session: OpenedSession,
  tool: string,
  args: unknown,
  withinMs: number,
  signal?: AbortSignal,
): Promise<Envelope> {
  const began = performance.now();
  const { envelope } = await untyped(session).call(tool, args, signal === undefined ? {} : { signal });
  expect(performance.now() - began, `${tool} answered late: ${JSON.stringify(envelope).slice(0, 500)}`).toBeLessThan(
    withinMs + slackMs(),
  );
  return envelope;
}

/** One call with `timeout_ms`, which must answer within it and the slack. */
export function timed(session: OpenedSession, tool: string, args: object, timeoutMs = 5_000): Promise<Envelope> {
  return answer(session, tool, { ...args, timeout_ms: timeoutMs }, timeoutMs);
}

const STARTS_WITHIN_MS = 20_000;

/** The session works: it opens that page and shows the words. */
export async function expectUsable(session: OpenedSession, url: string, words: string): Promise<void> {
  const opened = await answer(session, "navigate", { url, timeout_ms: STARTS_WITHIN_MS }, STARTS_WITHIN_MS);
  expect(opened, JSON.stringify(opened).slice(0, 1_000)).toMatchObject({
    ok: true,
    snapshot: expect.stringContaining(words),
  });
}

/** The ref that a snapshot gives to what has that name. */
export function refOf(envelope: Envelope, name: string): string {
  const line = (envelope.snapshot ?? "").split("\n").find((candidate) => candidate.includes(JSON.stringify(name)));
  const ref = /\be[1-9]\d*\b/.exec(line ?? "")?.[0];
  if (ref === undefined) throw new Error(`no ref for ${name} in\n${envelope.snapshot}`);
  return ref;
}

export interface PropertySchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: PropertySchema;
  readonly [keyword: string]: unknown;
}

export function propertiesOf(tool: ToolDescription): Readonly<Record<string, PropertySchema>> {
  return (tool.inputSchema.properties ?? {}) as Record<string, PropertySchema>;
}

function sampleOf(schema: PropertySchema, name = ""): unknown {
  if (name === "target") return 'button "x"';
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 1;
    case "array":
      return [sampleOf(schema.items ?? {})];
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, PropertySchema>).map(([key, inner]) => [
          key,
          sampleOf(inner, key),
        ]),
      );
    default:
      return "x";
  }
}

/** Right values for all that the tool requires. */
export function requiredOf(tool: ToolDescription): Record<string, unknown> {
  const properties = propertiesOf(tool);
  return Object.fromEntries(
    ((tool.inputSchema.required ?? []) as readonly string[]).map((name) => [
      name,
      sampleOf(properties[name] ?? {}, name),
    ]),
  );
}

/** Chromium's processes below this one; of one type (`renderer`), or the main ones. */
export function chromiums(type: string | null = null): readonly SeenProcess[] {
  return descendantsOf(process.pid).filter(
    ({ args }) =>
      args.some((argument) => argument.startsWith("--user-data-dir=")) &&
      (type === null
        ? !args.some((argument) => argument.startsWith("--type=")) && !/(^|\/)sh$/.test(args[0] ?? "")
        : args.includes(`--type=${type}`)),
  );
}

export function profileOf(chromium: SeenProcess): string {
  const profile = chromium.args
    .find((argument) => argument.startsWith("--user-data-dir="))
    ?.slice("--user-data-dir=".length);
  if (profile === undefined) throw new Error("Chromium does not say where its profile is");
  return profile;
}
