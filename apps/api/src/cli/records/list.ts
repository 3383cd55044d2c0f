import type { RecordSummary } from "@cardbridge/domain";
import type { Command } from "commander";
import { limitOption } from "../limit-option.ts";
import { lineWidth, type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { formatTable } from "../table.ts";
import { formatAge, formatNext } from "./format.ts";

/** Records unsettled for longer than this are stuck: usually half a minute passes between attempts. */
const stuckSeconds = 600;

interface Options {
  stuck?: boolean;
  platform?: string;
  limit: number;
}

export function addList(group: Command, session: Session): void {
  const command = group
    .command("list")
    .summary("list the records that wait, held ones first")
    .description(
      "Lists waiting records: held ones first, then unsettled ones, then those in review at the provider, each " +
        "oldest first.",
    )
    .option("--stuck", `only records that are held, or unsettled for more than ${stuckSeconds / 60} minutes`)
    .option("--platform <id>", "only the records of this platform")
    .addOption(limitOption(50));
  reportAction(command, async ({ stuck = false, platform: platformId, limit }: Options) => {
    const query = { platformId, stuckSeconds: stuck ? stuckSeconds : undefined, limit };
    const page = await session((run) => run(operations.records.list, query));
    return listReport(page, { stuck, platformId });
  });
}

interface Page {
  records: readonly RecordSummary[];
  more: boolean;
}

/** The records, one a line. */
export function listReport(
  { records, more }: Page,
  { stuck, platformId }: { stuck: boolean; platformId: string | undefined },
): Report {
  const document = { records: records.map(({ readAt: _, ...record }) => record), more };
  if (records.length === 0) {
    const owner = platformId === undefined ? "" : ` of ${platformId}`;
    return { document, text: `No record${owner} ${stuck ? "is stuck" : "waits"}.` };
  }
  const lines = formatTable(
    records,
    [
      { title: "RECORD", value: ({ kycRecordId }) => kycRecordId },
      { title: "STATE", value: formatState },
      { title: "AGE", value: formatAge },
      { title: "TRIES", value: ({ attempt }) => String(attempt), right: true },
      { title: "NEXT", value: formatNext, optional: true },
      { title: "PLATFORM", value: ({ platformId }) => platformId },
    ],
    lineWidth(),
  );
  return { document, text: more ? `${lines}\n\nThere are more: raise --limit.` : lines };
}

function formatState({ heldAt, settlement }: RecordSummary): string {
  if (heldAt) return "held";
  return settlement === "answered" ? "in review" : settlement;
}
