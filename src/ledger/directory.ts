import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const DIRECTORY_MODE = 0o700;

/**
 * The directory and those above it, for their owner only where they are new. Node's own recursive way never returns
 * below `/proc`.
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
  } catch (error) {
    // Another process was quicker.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
