import { isRecord } from "@cardbridge/domain";
import * as z from "zod";

type Row = Readonly<Record<string, unknown>>;
/** The columns of a list, separated by spaces, by the list's name. */
export type Columns = Readonly<Record<string, string>>;

/** The fields that tell whether a list has more entries. */
const paging = ["more", "nextCursor"];

/** Formats an operation's output for people: its fields one per line, and its lists as tables. */
export function formatOutput(schema: z.ZodType, output: unknown, columns: Columns, width?: number): string {
  const values = output as Row;
  const facts: [string, unknown][] = [];
  const tables: string[] = [];
  for (const [name, field] of Object.entries((schema as z.ZodObject).shape)) {
    const item = field instanceof z.ZodArray ? field.element : undefined;
    if (item instanceof z.ZodObject) {
      const rows = values[name] as Row[];
      const shown = columns[name] ?? Object.keys(item.shape).join(" ");
      tables.push(rows.length === 0 ? `No ${toWords(name)}.` : formatTable(rows, shown, width));
    } else facts.push([name, values[name]]);
  }
  if (tables.length === 0) return formatFacts(facts);
  const others = facts.filter(([name]) => !paging.includes(name));
  return [formatFacts(others), ...tables, moreOf(values)].filter(Boolean).join("\n\n");
}

/** How to see the rest of a list. */
function moreOf({ more, nextCursor }: Row): string {
  if (more === true) return "There are more: raise --limit.";
  return nextCursor ? `There are more: --cursor ${nextCursor}.` : "";
}

/** Formats rows as a table, without columns that are empty in every row. Lines longer than `width` are truncated. */
export function formatTable(rows: readonly Row[], columns: string, width = Number.POSITIVE_INFINITY): string {
  const shown = columns.split(" ").flatMap((column) => {
    const cells = rows.map((row) => formatValue(row[column]) || "-");
    if (cells.every((cell) => cell === "-")) return [];
    const isNumber = rows.some((row) => typeof row[column] === "number");
    return [align([toWords(column).toUpperCase(), ...cells], isNumber)];
  });
  const lines = ["", ...rows].map((_, line) => shown.map((cells) => cells[line]).join("  "));
  return lines.map((line) => cut(line.trimEnd(), width)).join("\n");
}

/** Formats names and values, one pair a line, without empty values. */
function formatFacts(facts: readonly [string, unknown][]): string {
  const flat = facts.flatMap(([name, value]): [string, unknown][] =>
    isRecord(value)
      ? Object.entries(value).map(([part, each]) => [`${name} ${part}`, each])
      : [[name, value]],
  );
  const shown = flat.filter(([, value]) => formatValue(value) !== "");
  const names = align(shown.map(([name]) => toWords(name)));
  return shown.map(([, value], line) => `${names[line]}  ${formatValue(value)}`).join("\n");
}

const cut = (line: string, width: number) => (line.length > width ? `${line.slice(0, width - 1)}…` : line);

function align(cells: readonly string[], right = false): string[] {
  const width = Math.max(...cells.map(({ length }) => length));
  return cells.map((cell) => (right ? cell.padStart(width) : cell.padEnd(width)));
}

/** Formats a value on one line, without control characters, because some values come from external servers. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  if (isRecord(value)) {
    const parts = Object.entries(value).map(([name, part]) =>
      part === true ? name : formatValue(part || null),
    );
    return parts.filter((part) => part !== "").join(" ");
  }
  return String(value).replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, " ");
}

/** A field's name in words, such as `last used` of `lastUsedAt`. */
function toWords(name: string): string {
  return name.replace(/(?<=.)(Id|At)\b/g, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
