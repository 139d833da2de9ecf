// The page docs/tools.md, from the definitions that every face lists.

/** @param {readonly import("../src/types.ts").ToolDescription[]} tools */
export function toolsPage(tools) {
  return [
    "# Tools",
    "",
    "Generated from the definitions in `src/tools/` by `npm run docs`; do not edit.",
    "",
    "| tool | does |",
    "| --- | --- |",
    ...tools.map((tool) => `| [\`${tool.name}\`](#${tool.name}) | ${cell(tool.title)} |`),
    "",
    ...tools.flatMap(section),
  ].join("\n");
}

function section(tool) {
  const { properties = {}, required = [] } = tool.inputSchema;
  const rows = Object.entries(properties).map(
    ([name, schema]) =>
      `| \`${name}\` | ${cell(typeOf(schema))} | ${required.includes(name) ? "yes" : "no"} | ${cell(schema.description ?? "")} |`,
  );
  const table =
    rows.length === 0
      ? ["No arguments."]
      : ["| argument | type | required | meaning |", "| --- | --- | --- | --- |", ...rows];
  return [`## ${tool.name}`, "", tool.description, "", ...table, ""];
}

function typeOf(schema) {
  const choices = schema.enum ?? (schema.const === undefined ? null : [schema.const]);
  if (choices) return choices.map((choice) => `\`${choice}\``).join(", ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  const bounds = boundsOf(schema);
  return `${[schema.type ?? "anything"].flat().join(" or ")}${bounds === "" ? "" : `, ${bounds}`}`;
}

function boundsOf({ minimum, exclusiveMinimum, maximum }) {
  const low =
    minimum === undefined ? (exclusiveMinimum === undefined ? "" : `above ${exclusiveMinimum}`) : `at least ${minimum}`;
  return [low, maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? "" : `at most ${maximum}`]
    .filter((text) => text !== "")
    .join(", ");
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}
