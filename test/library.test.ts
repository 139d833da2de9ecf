import { expect, test } from "vitest";
import { ConfigError, openSession, type SessionOptions } from "../src/index.ts";

const PRIVATE = { private: ["http://127.0.0.1:3000"] };
const quiet = (line: string): boolean => line.length > 0;

test.each([["console"], ["elicitation"], ["nobody"]])("a program cannot have %s asked", async (name) => {
  // @ts-expect-error: not among what may stand there
  await expect(openSession({ ...PRIVATE, approve: [name] })).rejects.toSatisfy(ConfigError.is);
});

const modes: readonly (readonly [string, SessionOptions, "act" | "read"])[] = [
  ["a function", { approve: async () => ({ answer: "no" }) }, "act"],
  ["a command", { approve: ["command:/bin/false"] }, "act"],
  ["its terminal", { approve: ["terminal"] }, "act"],
  ["none", { approve: ["none"] }, "read"],
  ["nothing said", {}, "read"],
  ["none, but the mode is set", { approve: ["none"], mode: "act" }, "act"],
];

test.each(modes)("with something private in reach and %s the session's mode is right", async (_who, options, mode) => {
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = quiet as typeof process.stderr.write;
  try {
    const session = await openSession({ ...PRIVATE, ...options });
    expect(session.mode).toBe(mode);
    expect(session.tools.some(({ name }) => name === "type_text")).toBe(mode === "act");
    await session.close();
  } finally {
    process.stderr.write = write;
  }
});
