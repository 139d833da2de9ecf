import { randomBytes } from "node:crypto";
import { chown, copyFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Account } from "./account.ts";
import { browserState } from "./preferences.ts";

const PRIVATE_MODE = 0o700;
const NAME_BYTES = 12;

/** All that one browser writes, under one directory of mode 0700 that goes with it. */
export interface SessionDirectory {
  readonly root: string;
  readonly profile: string;
  readonly home: string;
  /** Chromium's TMPDIR: what it leaves there goes with the rest. */
  readonly temporary: string;
  /** Belongs to the browser's user: downloads written elsewhere are cancelled. */
  readonly downloads: string;
}

/** Directories to make one in, best first. */
export function workplaces(): string[] {
  return [...new Set([tmpdir(), "/tmp", "/var/tmp"].filter((place) => path.isAbsolute(place)))];
}

/** A name that nobody can guess, so that the reaper can know it before the directory is there. */
export function nameSessionDirectory(workplace: string): SessionDirectory {
  const root = path.join(workplace, `chaperone-${randomBytes(NAME_BYTES).toString("base64url")}`);
  const inside = (name: string) => path.join(root, name);
  // Short names: a socket below `temporary` may have 107 bytes.
  return {
    root,
    profile: inside("profile"),
    home: inside("home"),
    temporary: inside("t"),
    downloads: inside("downloads"),
  };
}

/** Makes the directory, writes the preferences and hands everything to `account`, or leaves it ours for null. */
export async function fillSessionDirectory(
  directory: SessionDirectory,
  account: Account | null,
  content: { readonly preferences: Readonly<Record<string, unknown>>; readonly xAuthority: string | null },
): Promise<void> {
  const { xAuthority } = content;
  const folders = [
    directory.root,
    directory.profile,
    path.join(directory.profile, "Default"),
    directory.home,
    directory.temporary,
    directory.downloads,
  ];
  for (const folder of folders) await mkdir(folder, { mode: PRIVATE_MODE });
  const preferences = path.join(directory.profile, "Default", "Preferences");
  const state = path.join(directory.profile, "Local State");
  await writeFile(preferences, JSON.stringify(content.preferences), { mode: 0o600 });
  await writeFile(state, JSON.stringify(browserState()), { mode: 0o600 });
  const files = [preferences, state];
  if (xAuthority !== null) {
    const copy = path.join(directory.home, ".Xauthority");
    await copyFile(xAuthority, copy);
    files.push(copy);
  }
  // The root last: until then nobody else can reach, and so replace, what is being handed over.
  if (account) for (const entry of [...files, ...folders.toReversed()]) await chown(entry, account.uid, account.gid);
}
