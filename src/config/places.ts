import { posix, win32 } from "node:path";

/** Where this machine keeps what. Linux is tested; macOS and Windows are not. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Directory of the user's configuration file. */
export function userConfigDirectory(machine: Machine): string {
  if (machine.platform === "win32")
    return win32.join(machine.env.APPDATA ?? win32.join(machine.homedir, "AppData", "Roaming"), "chaperone");
  if (machine.platform === "darwin") return posix.join(machine.homedir, "Library", "Application Support", "chaperone");
  return xdg(machine, "XDG_CONFIG_HOME", ".config");
}

/** Directory of what we keep between sessions: ledgers, sockets of live sessions. */
export function stateDirectory(machine: Machine): string {
  if (machine.platform === "win32")
    return win32.join(machine.env.LOCALAPPDATA ?? win32.join(machine.homedir, "AppData", "Local"), "chaperone");
  if (machine.platform === "darwin") return posix.join(machine.homedir, "Library", "Application Support", "chaperone");
  return xdg(machine, "XDG_STATE_HOME", ".local/state");
}

/** Directory of the policy file that an administrator puts there. */
export function managedDirectory(platform: NodeJS.Platform): string {
  // Not from the environment: the user it binds could point it elsewhere.
  if (platform === "win32") return "C:\\ProgramData\\chaperone";
  if (platform === "darwin") return "/Library/Application Support/chaperone";
  return "/etc/chaperone";
}

// A relative one is ignored, as the XDG specification says: it would make the working directory decide.
function xdg(machine: Machine, variable: string, otherwise: string): string {
  const given = machine.env[variable];
  return posix.join(
    given !== undefined && posix.isAbsolute(given) ? given : posix.join(machine.homedir, otherwise),
    "chaperone",
  );
}
