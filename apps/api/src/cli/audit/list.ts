import type { ListedEntry } from "@cardbridge/store";
import { lineWidth, type Report } from "../report.ts";
import { table } from "../table.ts";

/** A platform's newest entries, one a line. */
export function entriesReport(platformId: string, entries: readonly ListedEntry[]): Report {
  const document = { platformId, entries: entries.map((entry) => ({ ...entry, id: String(entry.id) })) };
  if (entries.length === 0) return { document, text: `Nothing is in the audit of ${platformId}.` };
  const text = table(
    entries,
    [
      { title: "WHEN", value: ({ at }) => at.toISOString() },
      { title: "WHO", value: ({ actor }) => actor },
      { title: "ACT", value: ({ act }) => act },
      { title: "SUBJECT", value: ({ subject }) => subject ?? "" },
      { title: "OUTCOME", value: ({ outcome }) => outcome },
      { title: "FROM", value: ({ address }) => address ?? "" },
      { title: "REQUEST", value: ({ requestId }) => requestId ?? "", optional: true },
    ],
    lineWidth(),
  );
  return { document, text };
}
