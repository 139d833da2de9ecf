import { attribute, flatParent, isTag, query } from "./dom.ts";
import { isDataTable } from "./roles.ts";

const tables = new WeakMap<Element, { readonly at: number; readonly data: boolean }>();
let looks = 0;
/** A table is judged once a look. */
export const beginLook = (): void => {
  looks += 1;
};

export function inDataTable(row: Element): boolean {
  let table: Element | null = flatParent(row);
  while (table !== null && !isTag(table, "table")) table = flatParent(table);
  if (table === null) return false;
  const known = tables.get(table);
  if (known !== undefined && known.at === looks) return known.data;
  const data = isDataTable(table);
  tables.set(table, { at: looks, data });
  return data;
}

export function headerRole(header: Element): string {
  const scope = attribute(header, "scope");
  if (scope === "row") return "rowheader";
  const row = flatParent(header);
  return scope !== "col" && row !== null && query(row, ":scope > td") !== null ? "rowheader" : "columnheader";
}
