import { expect, test } from "vitest";
import { main } from "./main.ts";

async function install(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const { CHAPERONE_BROWSER } = process.env;
  const io = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
    env: CHAPERONE_BROWSER === undefined ? {} : { CHAPERONE_BROWSER },
  };
  return { code: await main(["install", ...argv], io), out: out.join(""), err: err.join("") };
}

test("names the browser that is there already", async () => {
  const { code, out, err } = await install();
  expect(out).toMatch(/^there already: \/.+ \(.+\)\n$/);
  // The one of this machine may be older than what is offered.
  expect(err).toMatch(/^(chaperone: \S+ \S+ is installed, \S+ is offered\. .*\n)?$/);
  expect(code).toBe(0);
});

test("a browser that was named and is missing is one line and exit code 5", async () => {
  const { code, out, err } = await install("--browser", "/nowhere/chrome");
  expect(err).toMatch(/^chaperone: .*\/nowhere\/chrome\n$/);
  expect([code, out]).toEqual([5, ""]);
});
