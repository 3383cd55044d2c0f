/** A table in Markdown. A cell is Markdown without line breaks; its vertical bars are escaped. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Text as code. */
export const code = (text: string | number | boolean): string => `\`${text}\``;

/** Values as code, with commas. */
export const codes = (values: readonly (string | number | boolean)[]): string => values.map(code).join(", ");
