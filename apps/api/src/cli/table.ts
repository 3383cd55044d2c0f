export interface Column<T> {
  title: string;
  value(row: T): string;
  /** Aligns the column to the right, for numbers. */
  right?: boolean;
  /** The column is left out where lines would be too long. */
  optional?: boolean;
}

const gap = "  ";

/**
 * Formats rows as a table for people. If a line is longer than `width`, the table leaves out its optional columns,
 * and then cuts the ends of lines.
 */
export function formatTable<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): string {
  const all = columns.map((column) => {
    const cells = [column.title, ...rows.map((row) => column.value(row))];
    return { ...column, cells, width: Math.max(...cells.map((cell) => cell.length)) };
  });
  const needed = all.reduce((sum, column) => sum + column.width + gap.length, -gap.length);
  const shown = needed > width ? all.filter(({ optional }) => !optional) : all;
  const lines = [undefined, ...rows].map((_, line) =>
    shown
      .map((column) => pad(column.cells[line] ?? "", column))
      .join(gap)
      .trimEnd(),
  );
  return lines.map((line) => cut(line, width)).join("\n");
}

function pad(cell: string, { right = false, width }: { right?: boolean; width: number }): string {
  return right ? cell.padStart(width) : cell.padEnd(width);
}

function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
