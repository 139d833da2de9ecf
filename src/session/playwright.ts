/**
 * Playwright prints every message of the protocol for these, with cookies and what was typed. It reads them when it is
 * loaded, and only then.
 */
const PRINTS = ["DEBUG", "DEBUG_FILE"] as const;

/**
 * Loads Playwright, which takes a third of a second, with its own debug output off. What a program has loaded itself
 * before keeps its own.
 */
export async function loadPlaywright(): Promise<typeof import("playwright-core")> {
  const given = PRINTS.map((name) => [name, process.env[name]] as const);
  for (const name of PRINTS) delete process.env[name];
  try {
    return await import("playwright-core");
  } finally {
    for (const [name, value] of given) if (value !== undefined) process.env[name] = value;
  }
}
