import type { KycRecord } from "./record.ts";

/**
 * The standing approval among a user's records, newest first (gap G44): the last approved record, until a later one is
 * approved or the provider revokes it. A revoked renewal does not revive the approval that it replaced.
 */
export function standingApproval<R extends Pick<KycRecord, "status" | "approvedAt">>(
  records: readonly R[],
): R | undefined {
  const last = records.find(({ status, approvedAt }) => status === "APPROVED" || approvedAt !== null);
  return last?.status === "APPROVED" ? last : undefined;
}
