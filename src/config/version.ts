import { readFileSync } from "node:fs";

/** The version in package.json, which is as far above `dist/config/` as above `src/config/`. */
export function packageVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  if (typeof parsed === "object" && parsed !== null && "version" in parsed && typeof parsed.version === "string")
    return parsed.version;
  throw new Error("package.json has no version");
}
