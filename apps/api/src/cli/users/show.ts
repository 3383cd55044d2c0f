import type { UserFacts } from "@cardbridge/domain";
import { lineWidth, type Report } from "../report.ts";
import { table } from "../table.ts";

const words = {
  none: "not asked for",
  requested: "asked for",
  erased: "done: only ids and statuses are left",
};

/** A user and their records, by ids and statuses. */
export function showReport(user: UserFacts): Report {
  const facts = {
    user: user.externalUserId,
    platform: user.platformId,
    since: user.createdAt,
    erasure: words[user.erasure],
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(10)}${value}`);
  const text = [...lines, "", recordsOf(user)].join("\n");
  return { document: user, text };
}

function recordsOf({ records }: UserFacts): string {
  if (records.length === 0) return "There is no record.";
  return table(
    records,
    [
      { title: "RECORD", value: ({ kycRecordId }) => kycRecordId },
      { title: "STATE", value: ({ settlement, status }) => status ?? settlement },
      { title: "SUBMITTED", value: ({ createdAt }) => createdAt },
    ],
    lineWidth(),
  );
}
