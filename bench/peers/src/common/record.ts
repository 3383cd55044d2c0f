import { Problem } from "./problem.js";

/** What is stored of a submission, without its personal data. */
export interface KycRecord {
  kycRecordId: string;
  externalUserId: string;
  settlement: "unsettled" | "answered" | "refused";
  status: string | null;
  subStatus: string | null;
  cardAccountId: string | null;
}

/** What the provider said of a submission, if it said anything. */
export type Verdict =
  | { settlement: "answered"; subStatus: string; cardAccountId: string | null }
  | { settlement: "refused" }
  | { settlement: "unsettled" };

/** What a verdict makes of a record: the columns that it sets. */
export function stateOf(verdict: Verdict) {
  const { settlement } = verdict;
  if (settlement !== "answered") return { settlement, status: null, subStatus: null, cardAccountId: null };
  const { subStatus, cardAccountId } = verdict;
  return { settlement, status: statuses.get(subStatus) ?? null, subStatus, cardAccountId };
}

const statuses = new Map([
  ["not_submitted", "PENDING"],
  ["pending_approval", "PENDING_APPROVAL"],
  ["approved", "APPROVED"],
  ["rejected", "REJECTED"],
]);

/** What to do with a submission whose user already has a record. */
export function compare(
  latest: KycRecord & { fingerprint: Buffer },
  fingerprint: Buffer,
): "submit" | "replay" {
  if (latest.fingerprint.equals(fingerprint)) return "replay";
  if (latest.settlement === "refused" || latest.status === "REJECTED") return "submit";
  throw new Problem("KYC_ALREADY_SUBMITTED", { kycRecordId: latest.kycRecordId });
}

/** The answer to a submission: 200 when the provider answered, 202 while that is unknown. */
export function toAnswer(record: KycRecord, replayed: boolean) {
  const { settlement, kycRecordId, externalUserId, status, subStatus, cardAccountId } = record;
  if (settlement === "refused") throw new Problem("KYC_REFUSED", { kycRecordId });
  const ids = { externalUserId, kycRecordId };
  const headers: Record<string, string> = replayed ? { "idempotent-replayed": "true" } : {};
  if (settlement === "unsettled") {
    const state = { status: "PENDING", subStatus, cardAccountId };
    return { status: 202, headers, body: { ...accepted, ...ids, ...state } };
  }
  return { status: 200, headers, body: { ...submitted, ...ids, status, subStatus, cardAccountId } };
}

const submitted = {
  success: true,
  code: "KYC_SUBMITTED",
  message: "The provider received the submission; see status for its review.",
};
const accepted = {
  success: true,
  code: "KYC_ACCEPTED",
  message: "The service stored the submission and completes it with the provider; do not send it again.",
};
