// Says whether there is a Chromium to launch and, where that is allowed, installs the distribution's. Runs once dist/ is there.
import { spawnSync } from "node:child_process";

const debianLine = /apt-get install -y chromium/;

/** null when a Chromium is there (now); else one line that says what to do. `say` gets one line when something is installed. */
export async function ensureChromium(say) {
  const missing = await whatIsMissing();
  if (missing === null || !mayInstall(missing)) return missing;
  say("installing Chromium (apt-get install chromium)");
  const failure = install();
  if (failure !== null) return `${missing} apt-get could not: ${failure}`;
  return whatIsMissing();
}

async function whatIsMissing() {
  const { findBrowser } = await import("../dist/browser/find.js");
  const named = process.env.CHAPERONE_BROWSER;
  try {
    await findBrowser(named ? { path: named } : {});
    return null;
  } catch (error) {
    if (error.code === "no_browser") return error.message;
    throw error;
  }
}

function mayInstall(missing) {
  return process.platform === "linux" && process.getuid() === 0 && !process.env.CHAPERONE_BROWSER && debianLine.test(missing);
}

/** null when installed, else apt-get's last word. */
function install() {
  const chromium = ["install", "-y", "--no-install-recommends", "chromium"];
  // Without package lists, or with old ones, the first try fails at once.
  if (aptGet(chromium) === null) return null;
  return aptGet(["update"]) ?? aptGet(chromium);
}

function aptGet(args) {
  const { status, error, stderr } = spawnSync("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=120", ...args], {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status === 0) return null;
  return error?.code ?? (stderr.trim().split("\n").at(-1) || `exit code ${status}`);
}
