import type { RecordDetails, ShownRecord } from "@cardbridge/domain";
import type { Command } from "commander";
import { durationBetween } from "../duration.ts";
import { lineWidth, type Report, reportAction } from "../report.ts";
import { operations, type Session } from "../session.ts";
import { formatTable } from "../table.ts";
import { formatDeliveries } from "../webhooks/format.ts";
import { formatAge, formatNext, formatReasons, formatStatus } from "./format.ts";

export function addShow(group: Command, session: Session): void {
  const command = group
    .command("show <id>")
    .summary("show a record, its history and its webhook deliveries")
    .description(
      "Shows a record, its next attempt, its history and its webhook deliveries, without the submission's data.",
    );
  reportAction(command, async (kycRecordId: string) =>
    showReport(await session((run) => run(operations.records.show, { kycRecordId }))),
  );
}

/** A record for operators. */
export function showReport(record: ShownRecord): Report {
  const { readAt, ...document } = record;
  const facts = {
    record: record.kycRecordId,
    platform: record.platformId,
    user: `${record.externalUserId} (the provider's reference of the user)`,
    state: formatStatus(record),
    reasons: formatReasons(record.explanation),
    account: record.cardAccountId,
    submitted: `${formatAge(record)} ago`,
    tries: `${record.attempt}${formatNotFound(record)}`,
    held: record.heldAt && `for ${durationBetween(record.heldAt, readAt)}: ask, resend or settle it`,
    next: record.heldAt ? null : formatNext(record),
  };
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [`${name.padEnd(11)}${value}`],
  );
  const history = formatTable(
    record.history,
    [
      { title: "WHEN", value: ({ observedAt }) => observedAt },
      { title: "FROM", value: ({ source }) => source },
      { title: "STATE", value: formatEntry },
    ],
    lineWidth(),
  );
  const told =
    record.deliveries.length === 0 ? [] : ["", formatDeliveries(record.deliveries, { withEndpoint: true })];
  return { document, text: [...lines, "", history, ...told].join("\n") };
}

function formatEntry(entry: RecordDetails["history"][number]): string {
  const reasons = formatReasons(entry.explanation);
  return reasons === null ? formatStatus(entry) : `${formatStatus(entry)}: ${reasons}`;
}

function formatNotFound({ settlement, notFound }: RecordDetails): string {
  if (settlement !== "unsettled" || notFound === 0) return "";
  return `, and the provider did not know it ${notFound === 1 ? "once" : `${notFound} times in a row`}`;
}
