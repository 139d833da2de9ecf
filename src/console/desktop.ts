import { spawn } from "node:child_process";
import { OPENER_WITHIN_MS } from "./limits.ts";

/** Shows a file in the person's browser. Rejects when that cannot be done. */
export type Opener = (file: string) => void | Promise<void>;

/** Null where nobody sits before a screen. Linux is tested; macOS and Windows are not. */
export function desktopOpener(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Opener | null {
  const has = (name: string): boolean => (env[name] ?? "") !== "";
  if (has("CI") && env.CI !== "false") return null;
  // The screen of the machine that somebody came to from afar is not theirs.
  const isAfar = has("SSH_CONNECTION");
  switch (platform) {
    case "darwin":
      return isAfar ? null : (file) => openWith("open", [file], env);
    case "win32":
      return isAfar ? null : (file) => openWith("rundll32.exe", ["url.dll,FileProtocolHandler", file], env);
    default:
      return has("DISPLAY") || has("WAYLAND_DISPLAY") ? (file) => openWith("xdg-open", [file], env) : null;
  }
}

function openWith(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true, env: { ...env } });
    // Some run as long as the browser that they start.
    const timer = setTimeout(resolve, OPENER_WITHIN_MS);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("exit", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${code}`));
    });
    child.unref();
  });
}
