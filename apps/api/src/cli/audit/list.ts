import type { ListedAuditEntry } from "@cardbridge/domain";
import type { Command } from "commander";
import { limitOption } from "../limit-option.ts";
import { lineWidth, type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { formatTable } from "../table.ts";

export function addList(group: Command, session: Session): void {
  const command = group
    .command("list <platform>")
    .description("list the newest entries of a platform")
    .addOption(limitOption(50));
  reportAction(command, async (platformId: string, { limit }: { limit: number }) => {
    const { entries } = await session((run) => run(operations.audit.list, { platformId, limit }));
    return listReport(platformId, entries);
  });
}

/** The entries, one a line. */
function listReport(platformId: string, entries: readonly ListedAuditEntry[]): Report {
  const document = { platformId, entries };
  if (entries.length === 0) return { document, text: `The audit of ${platformId} is empty.` };
  const text = formatTable(
    entries,
    [
      { title: "WHEN", value: ({ at }) => at },
      { title: "WHO", value: ({ actor }) => actor },
      { title: "OPERATION", value: ({ operation }) => operation },
      { title: "SUBJECT", value: ({ subject }) => subject ?? "" },
      { title: "OUTCOME", value: ({ outcome }) => outcome },
      { title: "FROM", value: ({ address }) => address ?? "" },
      { title: "REQUEST", value: ({ requestId }) => requestId ?? "", optional: true },
    ],
    lineWidth(),
  );
  return { document, text };
}
