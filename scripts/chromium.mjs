// Says whether there is a Chromium to launch and, where that is allowed, installs the distribution's. Runs once dist/
// is there.

/**
 * null when a Chromium is there (now); else one line that says what to do. `say` gets one line when something is
 * installed.
 */
export async function ensureChromium(say) {
  const { ensureBrowser } = await import("../dist/browser/install.js");
  const named = process.env.CHAPERONE_BROWSER;
  const outcome = await ensureBrowser({ ...(named && { path: named }), say });
  return "missing" in outcome ? outcome.missing : null;
}
