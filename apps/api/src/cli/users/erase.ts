import type { UserFacts } from "@cardbridge/domain";
import type { Report } from "../report.ts";

/** That an erasure is asked for, and what it waits for. */
export function eraseReport(user: UserFacts): Report {
  const waits = user.records.filter(({ settlement }) => settlement === "unsettled");
  const when =
    waits.length === 0
      ? "A worker does it within a minute or two."
      : `A worker does it once these records are settled: ${waits.map(({ kycRecordId }) => kycRecordId).join(", ")}.`;
  return { document: user, text: `The erasure of ${user.externalUserId} is asked for. ${when}` };
}
