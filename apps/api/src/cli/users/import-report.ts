import { lineWidth, type Report } from "../report.ts";
import { table } from "../table.ts";
import type { Imported } from "./import.ts";

/** How many refused lines are shown to people; `--json` has all. */
const shown = 50;

/** What an import came to, with every refused line by its number. */
export function importReport(done: Imported): Report {
  const { created, unchanged, refused } = done;
  const lines = new Set(refused.map(({ line }) => line)).size;
  const counts = `${created} users were imported, ${unchanged} were there already, ${lines} lines were refused.`;
  const problem =
    lines === 0
      ? undefined
      : "Correct the refused lines and import the file again: what is in already stays as it is.";
  return { document: done, text: [counts, ...refusals(refused)].join("\n"), problem };
}

function refusals(refused: Imported["refused"]): string[] {
  if (refused.length === 0) return [];
  const rows = table(
    refused.slice(0, shown),
    [
      { title: "LINE", value: ({ line }) => String(line), right: true },
      { title: "FIELD", value: ({ field }) => field ?? "-" },
      { title: "RULE", value: ({ rule }) => rule },
      { title: "WHAT TO DO", value: ({ message }) => message },
    ],
    lineWidth(),
  );
  const more = refused.length - shown;
  return ["", rows, ...(more > 0 ? [`… and ${more} more; --json has all.`] : [])];
}
