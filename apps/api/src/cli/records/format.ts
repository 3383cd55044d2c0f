import type { KycExplanation, RecordDetails, RecordSummary } from "@cardbridge/domain";
import { durationBetween, formatDuration } from "../duration.ts";

/** The time since the submission. */
export function formatAge({ createdAt, readAt }: RecordSummary): string {
  return durationBetween(createdAt, readAt);
}

/** The next attempt and when it is due, or who has to act. */
export function formatNext({ heldAt, dueAt, leaseUntil, step, readAt }: RecordSummary): string {
  const now = Date.parse(readAt);
  if (leaseUntil && Date.parse(leaseUntil) > now) return "under way";
  if (heldAt) return "operator";
  if (!dueAt) return "nothing";
  const delay = Date.parse(dueAt) - now;
  return delay >= 1_000 ? `${step} in ${formatDuration(delay)}` : `${step} now`;
}

/** The unified status, with the provider's raw status where that is another word. */
export function formatStatus({
  settlement,
  status,
  subStatus,
}: Pick<RecordDetails, "settlement" | "status" | "subStatus">): string {
  if (settlement !== "answered") return settlement;
  if (status !== null && status === subStatus?.toUpperCase()) return status;
  return `${status ?? "no status"} (${subStatus})`;
}

/** The reasons of a refusal or a rejection, and whether it is final; null where there are none. */
export function formatReasons(explanation: KycExplanation | null | undefined): string | null {
  if (!explanation) return null;
  const reasons = explanation.reasons.map(({ code, field }) => (field ? `${code} ${field}` : code));
  const parts = [...reasons, ...(explanation.final ? ["final"] : [])];
  return parts.length === 0 ? null : parts.join(", ");
}

/** The status, and whether the record is held. */
export function formatState(record: RecordDetails): string {
  return `${formatStatus(record)}${record.heldAt ? ", held" : ""}`;
}

/** The state before and after, on one line. */
export function formatChange(before: RecordDetails, after: RecordDetails): string {
  const [from, to] = [formatState(before), formatState(after)];
  return `${after.kycRecordId}: ${from === to ? `still ${to}` : `${from} -> ${to}`}`;
}
