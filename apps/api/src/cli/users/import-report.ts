import { lineWidth, type Report } from "../report.ts";
import { formatTable } from "../table.ts";
import type { Imported, RefusedLine } from "./import-file.ts";

/** The maximum number of violations that people see; `--json` has all. */
const maxShown = 50;

/** The result of an import, with every refused line by its number. The command fails if a line was refused. */
export function importReport(imported: Imported): Report {
  const { created, unchanged, refused } = imported;
  const lines = new Set(refused.map(({ line }) => line)).size;
  const counts = `${created} users were imported, ${unchanged} were there already, ${lines} lines were refused.`;
  const problem =
    lines === 0
      ? undefined
      : "Correct the refused lines and import the file again: users that are imported stay as they are.";
  return { document: imported, text: [counts, ...formatRefused(refused)].join("\n"), problem };
}

function formatRefused(refused: readonly RefusedLine[]): string[] {
  if (refused.length === 0) return [];
  const rows = formatTable(
    refused.slice(0, maxShown),
    [
      { title: "LINE", value: ({ line }) => String(line), right: true },
      { title: "FIELD", value: ({ field }) => field ?? "-" },
      { title: "RULE", value: ({ rule }) => rule },
      { title: "WHAT TO DO", value: ({ message }) => message },
    ],
    lineWidth(),
  );
  const more = refused.length - maxShown;
  return ["", rows, ...(more > 0 ? [`… and ${more} more; --json has all.`] : [])];
}
