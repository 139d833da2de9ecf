import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../scripts/freshness.mjs";

const planted = [
  { rule: "downward-wire", file: "src/wire/planted.ts", code: 'import "../session/target.ts";' },
  { rule: "downward-tools", file: "src/tools/planted.ts", code: 'export type { Planted } from "../mcp/target.ts";' },
  {
    rule: "downward-browser",
    file: "src/browser/planted.ts",
    code: 'export const other = () => import("../wire/target.ts");',
  },
  {
    rule: "downward-page",
    file: "src/page/planted-six.ts",
    code: 'await using held = await import("../session/target.ts");',
  },
  {
    rule: "only-guard-decides",
    file: "src/session/planted.ts",
    code: 'import type { Site } from "../gate/target.ts";',
  },
  { rule: "only-guard-decides", file: "src/cli/planted.ts", code: 'import "../ledger/target.ts";' },
  { rule: "guard-by-its-face", file: "src/session/planted-two.ts", code: 'export * from "../guard/target.ts";' },
  { rule: "faces-translate", file: "src/mcp/planted.ts", code: 'import "../wire/target.ts";' },
  { rule: "tools-act-on-pages", file: "src/tools/planted-two.ts", code: 'import "../wire/target.ts";' },
  { rule: "config-for-faces", file: "src/guard/planted.ts", code: 'import "../config/target.ts";' },
  { rule: "gate-is-pure", file: "src/gate/planted.ts", code: 'import "node:fs";' },
  {
    rule: "playwright-at-the-edge",
    file: "src/guard/planted-two.ts",
    code: 'import type { Page } from "playwright-core";',
  },
  { rule: "wire-knows-no-rules", file: "src/wire/planted-two.ts", code: 'import "../gate/target.ts";' },
  { rule: "page-script-alone", file: "src/page/observer/planted.ts", code: 'import "../../errors.ts";' },
  { rule: "page-script-is-bundled", file: "src/page/planted.ts", code: 'import "./observer/target.ts";' },
  { rule: "console-script-alone", file: "src/console/web/planted.ts", code: 'import "../../errors.ts";' },
  { rule: "console-script-is-bundled", file: "src/console/planted.ts", code: 'import "./web/target.ts";' },
  { rule: "no-dev-dependency", file: "src/page/planted-two.ts", code: 'import "fast-check";' },
  { rule: "no-test-code", file: "src/page/planted-three.ts", code: 'import "./target.test.ts";' },
  { rule: "no-cycle", file: "src/page/planted-four.ts", code: 'import "./planted-four.ts";' },
  { rule: "resolvable", file: "src/page/planted-five.ts", code: 'import "./nowhere.ts";' },
  { rule: "unnamed-way-out", file: "src/session/planted-three.ts", code: "process.stderr.write(document.title);" },
  { rule: "no-way-out", file: "src/wire/channel.ts", code: "export {};" },
  { rule: "known-room", file: "src/attic/planted.ts", code: "export {};" },
];

const targets = ["session", "mcp", "guard", "wire", "gate", "ledger", "config", "page/observer", "console/web"].map(
  (room) => `src/${room}/target.ts`,
);

function checkBorders(tree: string): { status: number | null; lines: string[]; summary: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts/borders.mjs"), tree], {
    encoding: "utf8",
  });
  return { status, lines: stderr.split("\n"), summary: stdout };
}

test("the tree keeps its borders", () => {
  const { status, lines, summary } = checkBorders(root);
  expect(lines).toEqual([""]);
  expect(summary).toMatch(/^borders: \d{2,} modules, 0 problems$/m);
  expect(status).toBe(0);
});

describe("a planted break fails the check", () => {
  let tree = "";
  let result: ReturnType<typeof checkBorders>;

  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), "chaperone-borders-"));
    cpSync(join(root, "src"), join(tree, "src"), { recursive: true });
    cpSync(join(root, "package.json"), join(tree, "package.json"));
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
    for (const file of [...targets, "src/page/target.test.ts"]) write(file, "export {};");
    for (const { file, code } of planted) write(file, code);
    result = checkBorders(tree);
  });

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  function write(file: string, code: string): void {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), `${code}\n`);
  }

  test("with exit code 1", () => expect(result.status).toBe(1));

  test.each(planted)("$rule in $file", ({ rule, file }) => {
    expect(result.lines.filter((line) => line.startsWith(`${rule}: ${file}`))).toHaveLength(1);
  });
});

test("a check that sees no modules fails", () => {
  const tree = mkdtempSync(join(tmpdir(), "chaperone-borders-"));
  try {
    mkdirSync(join(tree, "src"));
    const { status, lines } = checkBorders(tree);
    expect(lines).toContain("too-few-modules: saw 0, expected at least 10");
    expect(status).toBe(1);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
});
