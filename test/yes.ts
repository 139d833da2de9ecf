import { fileURLToPath } from "node:url";
import type { Question, SessionOptions } from "../src/index.ts";

type Asked = Pick<SessionOptions, "mode" | "approve">;

/**
 * Somebody who lets happen, once, whatever changes something, and opens no place: for tests of something else than who
 * is asked.
 */
export const yes: Asked = {
  mode: "act",
  approve: async ({ about }) => ({ answer: about === "effect" ? "once" : "no" }),
};

/** The same, with all that was asked, oldest first. */
export function yesAndAsked(): { readonly options: Asked; readonly asked: readonly Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    options: {
      mode: "act",
      approve: async (question) => {
        asked.push(question);
        return { answer: question.about === "effect" ? "once" : "no" };
      },
    },
  };
}

/** The same as options of `chaperone mcp`: a program that answers. */
export const YES_OPTIONS: readonly string[] = [
  "--mode",
  "act",
  "--approve",
  `command:${JSON.stringify([process.execPath, fileURLToPath(new URL("yes.mjs", import.meta.url))])}`,
];
