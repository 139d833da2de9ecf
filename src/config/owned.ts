import { lstatSync, type Stats } from "node:fs";
import { ConfigError } from "./error.ts";
import { type Machine, stateDirectory } from "./places.ts";

const OTHERS_MAY_WRITE = 0o022;
const ROOT = 0;

/**
 * Whether somebody else owns it, who is not root: that one can change it whatever its mode says. Never on systems
 * without user ids.
 */
export function isSomebodyElses({ uid }: Pick<Stats, "uid">): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== ROOT;
}

/**
 * The state directory, where nobody else can put or change a thing, or where it is not made yet. Throws ConfigError.
 */
export function ownStateDirectory(machine: Machine): string {
  const path = stateDirectory(machine);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || machine.platform === "win32") return path;
  if (!stats.isDirectory()) throw new ConfigError(`${path}: must be a directory of your own, not a link or a file`);
  if (isSomebodyElses(stats))
    throw new ConfigError(
      `${path}: belongs to another user: chown it to the one that runs this, or set XDG_STATE_HOME`,
    );
  if ((stats.mode & OTHERS_MAY_WRITE) !== 0) throw new ConfigError(`${path}: others may write there: chmod 700`);
  return path;
}
