// Fails when an import in src/ crosses a border (border-rules.mjs). An optional argument names another tree to check.
import { resolve } from "node:path";
import swcVisitor from "@swc/core/Visitor.js";
import { cruise } from "dependency-cruiser";
import { isInRoom, rules } from "./border-rules.mjs";
import { root } from "./freshness.mjs";
import { unnamedWays } from "./ways-out.mjs";

// Without a parser for TypeScript the check finds no modules and nothing wrong.
const fewestModules = 10;

// Its visitor stops at `using`, which to the borders is a declaration like any other.
const visitor = swcVisitor.Visitor.prototype;
const visitStatement = visitor.visitStatement;
visitor.visitStatement = function (statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  for (const declarator of statement.decls) this.visitVariableDeclarator(declarator);
  return statement;
};

const tree = resolve(process.argv[2] ?? root);
const { output } = await cruise(
  ["src"],
  {
    baseDir: tree,
    validate: true,
    ruleSet: { forbidden: rules },
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
  },
  { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
);

const modules = output.modules.map((module) => module.source).filter((path) => path.startsWith("src/"));
const comments = new Map(rules.map((rule) => [rule.name, rule.comment]));

const crossings = output.summary.violations.map(({ rule, from, to, cycle }) => {
  const path = cycle ? [from, ...cycle.map((step) => step.name)] : [from, to];
  return `${rule.name}: ${path.join(" → ")} (${comments.get(rule.name)})`;
});
const strangers = modules
  .filter((path) => !isInRoom(path))
  .map((path) => `known-room: ${path} (a new room gets its floor in scripts/border-rules.mjs)`);
const blind =
  modules.length < fewestModules ? [`too-few-modules: saw ${modules.length}, expected at least ${fewestModules}`] : [];

const problems = [...crossings, ...strangers, ...blind, ...unnamedWays(tree)];
for (const problem of problems) console.error(problem);
console.log(`borders: ${modules.length} modules, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
