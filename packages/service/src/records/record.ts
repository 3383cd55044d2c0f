import { Failure, type RecordDetails, type RecordSummary, toDocumentRequest } from "@cardbridge/domain";
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { renewalFields } from "../database/renewal-fields.ts";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { kycHistory, kycRecords, providerSteps } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { requestsOfRecord } from "../document-requests/read.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";

/** The fields of a summary, by the column names that the records table and `list_waiting` share. */
export const summaryFields = {
  kycRecordId: sql<string>`id`,
  platformId: sql<string>`platform_id`,
  resolution: sql<RecordSummary["resolution"]>`resolution`,
  attempt: sql<number>`attempt`,
  step: sql<RecordSummary["step"]>`step`,
  notFound: sql<number>`not_found`,
  createdAt: shownMoment(sql`created_at`),
  dueAt: shownMoment(sql`due_at`) as SQL<string | null>,
  leaseUntil: shownMoment(sql`lease_until`) as SQL<string | null>,
  needsAttentionSince: shownMoment(sql`needs_attention_since`) as SQL<string | null>,
  readAt: shownMoment(sql`clock_timestamp()`),
};

/** The function of the database that also decides whether a proposal is void. */
export const version = sql<string>`record_version(kyc_records.platform_id, kyc_records.id)`;

const ofRecord = sql.raw("(platform_id, record_id) = (kyc_records.platform_id, kyc_records.id)");

/** Who works on a record, and the number of its notes. The person has no name yet. */
export const workFields = {
  assignee: sql<string | null>`(select assignee from record_assignments where ${ofRecord})`,
  assignedRole: sql<RecordDetails["assignedRole"]>`(select role from record_assignments where ${ofRecord})`,
  assignedAt: shownMoment(sql`(select assigned_at from record_assignments where ${ofRecord})`) as SQL<
    string | null
  >,
  assignmentVersion: sql<number>`coalesce((select version from record_assignments where ${ofRecord}), 0)`,
  notes: sql<number>`(select count(*)::int from record_notes where ${ofRecord})`,
};

interface Renewal extends NonNullable<RecordDetails["renewal"]> {}

/** The latest record that renews the selected one. In PostgreSQL's JSON, a time has the offset of the session. */
const renewal = sql<Renewal | null>`(
  select json_build_object('kycRecordId', later.id, 'resolution', later.resolution, 'status', later.status,
    'replaces', later.status is not distinct from 'APPROVED' or later.approved_at is not null, 'createdAt', later.created_at)
  from kyc_records later
  where (later.platform_id, later.user_id, later.renews) = (kyc_records.platform_id, kyc_records.user_id, kyc_records.id)
  order by later.created_at desc, later.id desc limit 1)`.mapWith(
  (found: Renewal): Renewal => ({ ...found, createdAt: new Date(found.createdAt).toISOString() }),
);

const details = {
  ...summaryFields,
  externalUserId: kycRecords.userId,
  version,
  status: kycRecords.status,
  subStatus: kycRecords.subStatus,
  cardAccountId: kycRecords.cardAccountId,
  revision: kycRecords.revision,
  traceId: sql<string | null>`split_part(${kycRecords.traceparent}, '-', 2)`,
  explanation: kycRecords.explanation,
  requests: requestsOfRecord,
  ...renewalFields,
  renewal,
  ...workFields,
};

/** Who proposed a manual approval. Only a record without an answer can be approved, so at most one is confirmed. */
const proposedBy = sql<string | null>`case when ${kycHistory.source} = 'person' then (
  select actor from proposals as p where p.platform_id = ${kycHistory.platformId} and p.record_id = ${kycHistory.recordId}
    and p.kind = 'approve' and p.decision = 'confirmed' limit 1) end`;

const historyEntry = {
  resolution: kycHistory.resolution,
  status: kycHistory.status,
  subStatus: kycHistory.subStatus,
  explanation: kycHistory.explanation,
  source: kycHistory.source,
  by: kycHistory.actor,
  proposedBy,
  observedAt: shownMoment(sql`${kycHistory.observedAt}`),
};

const event = {
  event: kycHistory.event,
  source: kycHistory.source,
  observedAt: historyEntry.observedAt,
};

const providerStep = {
  name: providerSteps.name,
  result: providerSteps.result,
  storedAt: shownMoment(sql`${providerSteps.keptAt}`),
};

/** Reads a record with its history and the provider's steps, never the submitted data. The record must exist. */
export async function readRecord(
  ports: NamePorts,
  platformId: string,
  kycRecordId: string,
): Promise<RecordDetails> {
  const record = await ports.database.asPlatform<Unnamed<RecordDetails>>(platformId, async (tx) => {
    const found = tx.select(details).from(kycRecords).where(isRecord(platformId, kycRecordId));
    const isOfRecord = and(eq(kycHistory.platformId, platformId), eq(kycHistory.recordId, kycRecordId));
    const changes = tx
      .select(historyEntry)
      .from(kycHistory)
      .where(and(isOfRecord, isNull(kycHistory.event)))
      .orderBy(asc(kycHistory.id));
    const events = tx
      .select(event)
      .from(kycHistory)
      .where(and(isOfRecord, isNotNull(kycHistory.event)))
      .orderBy(asc(kycHistory.id));
    const steps = tx
      .select(providerStep)
      .from(providerSteps)
      .where(and(eq(providerSteps.platformId, platformId), eq(providerSteps.recordId, kycRecordId)))
      .orderBy(asc(providerSteps.keptAt), asc(providerSteps.name));
    return pipelineCommit([found, changes, events, steps], ([rows, history, changed, kept]) => {
      const { requests, ...record } = requireRow(rows, "KYC record");
      return {
        ...record,
        history,
        requests: requests.map(toDocumentRequest),
        requestHistory: changed.flatMap(({ event, ...change }) => {
          if (event?.type !== "kyc.request_updated") return [];
          const { type: _, ...request } = event;
          return { ...request, ...change };
        }),
        expiryHistory: changed.flatMap(({ event, observedAt }) =>
          event && "documentExpiry" in event ? { documentExpiry: event.documentExpiry, observedAt } : [],
        ),
        providerSteps: kept,
      };
    });
  });
  return nameAssignee(ports, record);
}

/** A record whose assignee is an id. */
export type Unnamed<T> = Omit<T, "assignee"> & { assignee: string | null };

/** Replaces the assignee's id by the person; null for nobody. A person without a row keeps the id. */
export async function nameAssignee<T extends { assignee: string | null }>(ports: NamePorts, record: T) {
  const { assignee } = record;
  const nameOf = await namedPersons(ports, [assignee]);
  return { ...record, assignee: nameOf(assignee) };
}

export function isRecord(platformId: string, kycRecordId: string) {
  return and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId));
}

/** The record's state does not allow the operation, for the reason in `message`. */
export function recordConflict(message: string): Failure {
  return new Failure("KYC_RECORD_CONFLICT", { violations: [{ path: [], rule: "record-state", message }] });
}
