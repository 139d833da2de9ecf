// Whether dist/ was built from the sources as they are now. No dependencies: runs before anything is installed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const generated = ["src/page/generated", "src/console/generated"];
const built = ["dist/cli/main.js", "src/page/generated/world.ts", "src/console/generated/scripts.ts"];
const inputs = ["scripts/build.mjs", "tsconfig.json", "tsconfig.build.json", "package-lock.json"];
const stamp = join(root, "dist", ".stamp");

export const stampPath = stamp;

/** Digest over path, size and modification time of all that dist/ is made from. */
export function fingerprint() {
  const hash = createHash("sha256");
  for (const path of [...inputs, ...sourceFiles("src")].sort()) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    hash.update(`${path}\0${stat?.size}\0${stat?.mtimeMs}\n`);
  }
  return hash.digest("hex");
}

export function distIsFresh() {
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== fingerprint()) return false;
  return built.every((path) => existsSync(join(root, path)));
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return generated.includes(path) ? [] : sourceFiles(path);
    return /\.(test|fixture)\.ts$/.test(entry.name) ? [] : [path];
  });
}
