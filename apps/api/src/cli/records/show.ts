import type { KycFile, KycJob } from "@cardbridge/domain";
import { lineWidth, type Report } from "../report.ts";
import { span } from "../span.ts";
import { table } from "../table.ts";
import { age, next, stateOf } from "./words.ts";

/** All that a person may see of one record. */
export function showReport({ record, job, history }: KycFile): Report {
  const { readAt: _now, ...stands } = job;
  const facts = {
    record: record.kycRecordId,
    platform: job.platformId,
    user: `${record.externalUserId} (the provider knows the user by it)`,
    state: stateOf(record),
    account: record.cardAccountId,
    submitted: `${age(job)} ago`,
    tries: `${record.attempt}${notFound(job)}`,
    held: job.heldAt && `for ${span(job.readAt.getTime() - job.heldAt.getTime())}: ask, resend or settle it`,
    next: job.heldAt ? null : next(job),
  };
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [`${name.padEnd(11)}${value}`],
  );
  const changes = table(
    history,
    [
      { title: "WHEN", value: ({ observedAt }) => observedAt },
      { title: "FROM", value: ({ source }) => source },
      { title: "STATE", value: (change) => stateOf(change) },
    ],
    lineWidth(),
  );
  return { document: { ...record, ...stands, history }, text: [...lines, "", changes].join("\n") };
}

function notFound({ settlement, notFound: times }: KycJob): string {
  if (settlement !== "unsettled" || times === 0) return "";
  return `, and the provider did not know it ${times === 1 ? "once" : `${times} times in a row`}`;
}
