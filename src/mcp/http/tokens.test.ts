import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { givenTokens, keepToken, newToken } from "./token-source.ts";
import { Tokens } from "./tokens.ts";

const ONE = "one-token-of-the-test";
const OTHER = "other-token-of-the-test==";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-tokens-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function file(text: string, mode = 0o600): string {
  const path = join(directory, "tokens");
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe("Tokens", () => {
  it("finds each at its place, and nothing else", () => {
    const tokens = new Tokens([ONE, OTHER]);
    expect(
      [ONE, OTHER, "", null, ONE.slice(1), `${ONE}x`, ONE.toUpperCase()].map((token) => tokens.placeOf(token)),
    ).toEqual([0, 1, null, null, null, null, null]);
  });

  it("nobody has the empty one", () => {
    expect(new Tokens([""]).placeOf(null)).toBe(null);
  });
});

describe("givenTokens", () => {
  it("the file, a line each, goes before the variable, a comma between", () => {
    const env = { CHAPERONE_HTTP_TOKEN: `${ONE}, ${OTHER}` };
    expect(givenTokens(null, {})).toBe(null);
    expect(givenTokens(null, { CHAPERONE_HTTP_TOKEN: "" })).toBe(null);
    expect(givenTokens(null, env)).toEqual([ONE, OTHER]);
    expect(givenTokens(file(`${OTHER}\r\n\n${ONE}\n`), env)).toEqual([OTHER, ONE]);
  });

  it.each([
    ["a short one", "fifteen-letters"],
    ["a long one", "x".repeat(513)],
    ["spaces inside", `${ONE} ${OTHER}`],
    ["a quote", `"${ONE}"`],
    ["letters of other scripts", `${ONE}é`],
    ["one twice", `${ONE}\n${ONE}`],
    ["none", "\n\n"],
    ["too many", Array.from({ length: 33 }, (_token, index) => `${ONE}${index}`).join("\n")],
  ])("%s is wrong, and no token is shown", (_, text) => {
    let message = "";
    try {
      givenTokens(file(text), {});
    } catch (error) {
      message = error instanceof Error ? error.message : "";
    }
    expect(message).toContain(join(directory, "tokens"));
    expect(message).not.toContain("token-of");
    expect(message).not.toContain("fifteen");
  });

  it.each([0o640, 0o604, 0o660, 0o644])("a file that others may read is wrong (%o)", (mode) => {
    expect(() => givenTokens(file(ONE, mode), {})).toThrow(/chmod 600/);
  });

  // Only root can give a file away.
  it.runIf(process.getuid?.() === 0)("a file of another user is wrong", () => {
    const path = file(ONE);
    chownSync(path, 12_345, 12_345);
    expect(() => givenTokens(path, {})).toThrow(/another user/);
  });

  it.each([
    ["nothing", () => join(directory, "nothing")],
    ["a directory", () => directory],
    ["a megabyte", () => file("x".repeat(1_000_000))],
  ])("%s is wrong", (_, path) => {
    chmodSync(directory, 0o700);
    expect(() => givenTokens(path(), {})).toThrow();
  });
});

describe("keepToken", () => {
  it("writes where only this user can read, and takes it away", () => {
    const kept = keepToken(newToken(), join(directory, "state"), 3200);
    expect(statSync(kept.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "state")).mode & 0o777).toBe(0o700);
    expect(givenTokens(kept.path, {})).toHaveLength(1);
    kept.remove();
    expect(() => statSync(kept.path)).toThrow();
  });

  it("not through a link that somebody has put there", () => {
    const target = join(directory, "target");
    writeFileSync(target, "mine");
    symlinkSync(target, join(directory, "mcp-http-3200.token"));
    keepToken(newToken(), directory, 3200);
    expect(readFileSync(target, "utf8")).toBe("mine");
  });

  it("no two tokens are the same", () => {
    expect(new Set(Array.from({ length: 100 }, newToken)).size).toBe(100);
  });
});
