// Finds a Chromium, or installs the distribution's. Only Node's own modules: runs before anything is installed.
// src/browser/ decides what is launched; this answers only whether there is something to launch.
import { spawnSync } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const commands = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable", "microsoft-edge"];
const macApps = ["Google Chrome", "Chromium", "Microsoft Edge"];
const windowsPrograms = ["Google\\Chrome\\Application\\chrome.exe", "Chromium\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
const installLines = [
  { family: /debian|ubuntu/, line: "apt-get install chromium" },
  { family: /fedora|rhel|centos/, line: "dnf install chromium" },
  { family: /arch/, line: "pacman -S chromium" },
  { family: /alpine/, line: "apk add chromium" },
  { family: /suse/, line: "zypper install chromium" },
];

/** null when a Chromium is there (now); else one line that says what to do. `say` gets one line when something is installed. */
export function ensureChromium(say) {
  const named = process.env.CHAPERONE_BROWSER;
  if (named) return isProgram(named) ? null : `no browser at CHAPERONE_BROWSER=${named}: name the program file of Chrome, Chromium or Edge`;
  if (findChromium()) return null;
  const remedy = `install one with \`${installCommand()}\`, or set CHAPERONE_BROWSER=PATH`;
  if (!mayInstall()) return `no Chromium, Chrome or Edge found: ${remedy}`;
  say("installing Chromium (apt-get install chromium)");
  const failure = install();
  return failure === null && findChromium() ? null : `no Chromium, Chrome or Edge found, and apt-get did not bring one (${failure ?? "no program"}): ${remedy}`;
}

function findChromium() {
  return candidates().find(isProgram) ?? null;
}

function candidates() {
  if (process.platform === "darwin") {
    const program = (folder, app) => join(folder, `${app}.app`, "Contents", "MacOS", app);
    const apps = ["/Applications", join(homedir(), "Applications")].flatMap((folder) => macApps.map((app) => program(folder, app)));
    return [...apps, ...playwrightCache(join(homedir(), "Library/Caches/ms-playwright"), /^chrome-mac/, "Chromium.app/Contents/MacOS/Chromium")];
  }
  if (process.platform === "win32") {
    const { PROGRAMFILES, "PROGRAMFILES(X86)": x86, LOCALAPPDATA } = process.env;
    const programs = [PROGRAMFILES, x86, LOCALAPPDATA].filter(Boolean).flatMap((folder) => windowsPrograms.map((path) => join(folder, path)));
    return [...programs, ...playwrightCache(join(LOCALAPPDATA ?? "", "ms-playwright"), /^chrome-win/, "chrome.exe")];
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const onPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...playwrightCache(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "ms-playwright"), /^chrome-linux/, "chrome")];
}

function playwrightCache(usual, platformFolder, program) {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH || usual;
  const builds = list(cache).filter((name) => /^chromium-\d+$/.test(name));
  return builds.flatMap((build) => {
    const folders = list(join(cache, build)).filter((name) => platformFolder.test(name));
    return folders.map((folder) => join(cache, build, folder, program));
  });
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function mayInstall() {
  return process.platform === "linux" && process.getuid() === 0 && /debian|ubuntu/.test(distribution()) && hasCommand("apt-get");
}

function hasCommand(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => folder && isProgram(join(folder, name)));
}

function distribution() {
  try {
    const lines = readFileSync("/etc/os-release", "utf8").split("\n");
    return lines.filter((line) => /^ID(_LIKE)?=/.test(line)).join(" ");
  } catch {
    return "";
  }
}

function installCommand() {
  if (process.platform === "darwin") return "brew install --cask google-chrome";
  if (process.platform === "win32") return "winget install Google.Chrome";
  const family = distribution();
  const { line } = installLines.find((entry) => entry.family.test(family)) ?? { line: "apt-get install chromium" };
  return process.getuid() === 0 ? line : `sudo ${line}`;
}

/** null when installed, else apt-get's last word. */
function install() {
  const installed = aptGet("install", "-y", "--no-install-recommends", "chromium");
  // Without package lists, or with old ones, the first try fails at once.
  if (installed === null) return null;
  return aptGet("update") ?? aptGet("install", "-y", "--no-install-recommends", "chromium");
}

function aptGet(...args) {
  const { status, error, stderr } = spawnSync("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=120", ...args], {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status === 0) return null;
  return error?.code ?? stderr.trim().split("\n").at(-1) ?? `exit ${status}`;
}
