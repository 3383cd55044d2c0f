import type { KycFile, KycJob, KycState } from "@cardbridge/domain";
import { span } from "../span.ts";

/** How old a record is. */
export function age({ createdAt, readAt }: KycJob): string {
  return span(readAt.getTime() - createdAt.getTime());
}

/** What happens to a record next, by whom or when. */
export function next({ heldAt, dueAt, leaseUntil, step, readAt }: KycJob): string {
  if (leaseUntil && leaseUntil > readAt) return "under way";
  if (heldAt) return "a person";
  if (!dueAt) return "nothing";
  const wait = dueAt.getTime() - readAt.getTime();
  return wait >= 1_000 ? `${step} in ${span(wait)}` : `${step} now`;
}

/** What is known of a submission; with the provider's raw value where the status does not say the same. */
export function stateOf({
  settlement,
  status,
  subStatus,
}: Pick<KycState, "settlement" | "status" | "subStatus">): string {
  if (settlement !== "answered") return settlement;
  if (status !== null && status === subStatus?.toUpperCase()) return status;
  return `${status ?? "no status"} (${subStatus})`;
}

/** What is known of a record, and whether it is held. */
export function standing({ record, job }: KycFile): string {
  return `${stateOf(record)}${job.heldAt ? ", held" : ""}`;
}

/** A record before and after, in one line. */
export function changeOf(before: KycFile, after: KycFile): string {
  const [from, to] = [standing(before), standing(after)];
  return `${after.record.kycRecordId}: ${from === to ? `still ${to}` : `${from} -> ${to}`}`;
}
