export type Row = readonly (string | number | null)[];

/**
 * A cell of a CSV file (RFC 4180). A spreadsheet runs what begins with one of `= + - @`, a tab or a carriage return, so
 * these get an apostrophe in front.
 */
function cell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Rows as the text of a CSV file. */
export const toCsv = (rows: readonly Row[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
