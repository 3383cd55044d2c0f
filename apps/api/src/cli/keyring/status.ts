import type { KeyVersionCount } from "@cardbridge/store";
import { lineWidth, type Report } from "../report.ts";
import { table } from "../table.ts";

/** The versions, one a line, and what may be done with each. */
export function statusReport(counts: readonly KeyVersionCount[]): Report {
  const versions = counts.map((count) => ({ ...count, removable: isRemovable(count) }));
  const text = table(
    versions,
    [
      { title: "VERSION", value: ({ version }) => String(version), right: true },
      { title: "USERS", value: ({ users }) => String(users), right: true },
      { title: "UNUSED FILES", value: ({ files }) => String(files), right: true },
      { title: "STATE", value: stateOf },
    ],
    lineWidth(),
  );
  return { document: { versions }, text };
}

function isRemovable({ users, files, inRing, current }: KeyVersionCount): boolean {
  return inRing && !current && users === 0 && files === 0;
}

function stateOf(count: KeyVersionCount): string {
  if (count.current) return "current";
  if (!count.inRing) return "missing from KEY_RING";
  return isRemovable(count) ? "can be taken out" : "in use";
}
