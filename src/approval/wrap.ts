const FIRST = "- ";
/** What a line of ours never begins with: the rest of a long one cannot pass for another. */
const NEXT = "    | ";
const FEWEST_COLUMNS = 40;

/**
 * One line as rows of a terminal that is so many columns wide. The terminal itself would start a row with whatever
 * words came there.
 */
export function wrapped(line: string, columns: number): readonly string[] {
  const width = Math.max(columns, FEWEST_COLUMNS) - 1;
  const rows: string[] = [];
  let row = FIRST;
  let used = FIRST.length;
  for (const char of line) {
    // Signs beyond ASCII may take two columns; that they do not only makes a row shorter.
    const taken = char >= " " && char <= "~" ? 1 : 2;
    if (used + taken > width) {
      rows.push(row);
      row = NEXT;
      used = NEXT.length;
    }
    row += char;
    used += taken;
  }
  return [...rows, row];
}
