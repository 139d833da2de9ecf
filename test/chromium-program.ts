/**
 * The Chromium of this run, as the product would find it: the one that CHAPERONE_BROWSER names, else the first that is
 * there.
 */
export function chromiumProgram(): string {
  const path = process.env.CHAPERONE_TEST_PROGRAM;
  if (path === undefined) throw new Error("the program of Chromium is not known: test/global-setup.ts looks it up");
  return path;
}
