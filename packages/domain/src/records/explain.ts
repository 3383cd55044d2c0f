import type { DocumentRequest } from "../kyc/document-requests.ts";
import { isDeclined, isFinal } from "../kyc/record.ts";
import type { StoredAttempt } from "./attempt.ts";
import { attentionAfterSeconds } from "./inputs.ts";
import type { RecordDetails } from "./record.ts";
import { describeSituation, type RecordNext, type RecordSituation } from "./situations.ts";

/** The state from which a record's situation follows. */
export type ExplainedRecord = Pick<
  RecordDetails,
  | "resolution"
  | "status"
  | "explanation"
  | "dueAt"
  | "leaseUntil"
  | "needsAttentionSince"
  | "readAt"
  | "requests"
  | "documentExpiry"
  | "renewal"
> & { history: readonly Pick<RecordDetails["history"][number], "resolution" | "status" | "source">[] };

/**
 * Explains why a record needs attention or does not, and what to do next.
 *
 * @param attempts oldest first
 */
export function explainRecord(record: ExplainedRecord, attempts: readonly StoredAttempt[]): RecordNext {
  const last = attempts.at(-1);
  const [times, reason] = [last?.count ?? 0, last?.reason ?? null];
  const { explanation } = record;
  const facts = { times, reason, explanation, manual: isManual(record), requests: [] };
  if (record.resolution === "unresolved") return describeSituation(openSituation(record, last), facts);
  const waiting = isFinal(record) ? undefined : requestSituation(record);
  if (waiting) return describeSituation(waiting.situation, { ...facts, requests: waiting.requests });
  return describeSituation(decidedSituation(record), facts);
}

type IsCause = (request: DocumentRequest, now: number) => boolean;

/** The situations of requests with the requests that cause them, the most urgent one first. */
const requestSituations: readonly (readonly [RecordSituation, IsCause])[] = [
  ["request-without-file", ({ status, accepts }) => status === "open" && accepts.length === 0],
  ["request-overdue", ({ status, dueAt }, now) => status === "open" && Date.parse(dueAt ?? "") < now],
  ["document-requested", ({ status }) => status === "open"],
  ["answer-not-sent", ({ status, sentAt }) => status === "answered" && sentAt === null],
];

/** The situation of a record that is not decided; undefined if no request waits. */
function requestSituation({ requests, readAt }: ExplainedRecord) {
  return requestSituations
    .map(([situation, isCause]) => ({
      situation,
      requests: requests.filter((request) => isCause(request, Date.parse(readAt))),
    }))
    .find((found) => found.requests.length > 0);
}

/** Whether an operator entered the record's present state. A change of the history may be newer than this state. */
function isManual({ resolution, status, history }: ExplainedRecord): boolean {
  const last = history.findLast((change) => change.resolution === resolution && change.status === status);
  return last?.source === "person";
}

function openSituation(record: ExplainedRecord, last: StoredAttempt | undefined): RecordSituation {
  if (record.leaseUntil !== null && record.leaseUntil > record.readAt) return "in-progress";
  if (record.needsAttentionSince !== null) return last ? failedSituation(last) : "no-attempt-stored";
  const overdueAt = Date.parse(record.readAt) - attentionAfterSeconds * 1_000;
  if (record.dueAt !== null && Date.parse(record.dueAt) < overdueAt) return "overdue";
  return last ? "retrying" : "waiting";
}

/** The provider does not accept our key, its rights, or the time of our signature. */
const accessRefused = new Set(["status-401", "status-403", "clock-differs"]);

/** The situation after the last attempt of a record that workers no longer attempt. */
function failedSituation({ outcome, reason }: StoredAttempt): RecordSituation {
  if (reason === "mismatched") return "mismatched";
  if (reason === "file-not-found" || reason === "external-file") return "file-missing";
  if (reason !== null && accessRefused.has(reason)) return "access-refused";
  if (outcome === "not-found") return "not-found";
  if (outcome === "unsent") return "not-sent";
  return reason !== null && /^status-4\d\d:/.test(reason) ? "unknown-error" : "no-answer";
}

function decidedSituation(record: ExplainedRecord): RecordSituation {
  const { resolution, status, explanation } = record;
  if (resolution === "refused") return explanation?.final ? "refused-finally" : "refused";
  if (isDeclined({ resolution, status })) return explanation?.final ? "rejected-finally" : "rejected";
  if (status === "APPROVED") return approvedSituation(record);
  if (status === "PENDING") return "incomplete";
  return status === null ? "unknown-status" : "in-review";
}

function approvedSituation({ documentExpiry, renewal }: ExplainedRecord): RecordSituation {
  if (renewal?.replaces) return "renewed";
  if (renewal && !isDeclined(renewal)) return "renewal-under-way";
  if (documentExpiry === "expiring") return "document-expiring";
  return documentExpiry === "expired" ? "document-expired" : "approved";
}
