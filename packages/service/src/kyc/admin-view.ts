import type { KycAdmin, RecordDetails, RecordState, RecordSummary, StoredAttempt } from "@cardbridge/domain";
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { kycAttempts, kycHistory, kycRecords, providerSteps } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { NamePorts } from "../persons/names.ts";
import { nameOf } from "./assignments.ts";
import { findPlatform } from "./find-platform.ts";

/** The fields of a summary, by the column names that the records table and `list_waiting` share. */
const summary = {
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

const ofRecord = sql.raw("(platform_id, record_id) = (kyc_records.platform_id, kyc_records.id)");

/** The function of the database that also decides whether a proposal is void. */
const version = sql<string>`record_version(kyc_records.platform_id, kyc_records.id)`;

/** Who works on a record, and the number of its notes. The person has no name yet. */
const work = {
  assignee: sql<string | null>`(select assignee from record_assignments where ${ofRecord})`,
  assignedAt: shownMoment(sql`(select assigned_at from record_assignments where ${ofRecord})`) as SQL<
    string | null
  >,
  assignmentVersion: sql<number>`coalesce((select version from record_assignments where ${ofRecord}), 0)`,
  notes: sql<number>`(select count(*)::int from record_notes where ${ofRecord})`,
};

const details = {
  ...summary,
  externalUserId: kycRecords.userId,
  version,
  status: kycRecords.status,
  subStatus: kycRecords.subStatus,
  cardAccountId: kycRecords.cardAccountId,
  revision: kycRecords.revision,
  traceId: sql<string | null>`split_part(${kycRecords.traceparent}, '-', 2)`,
  explanation: kycRecords.explanation,
  ...work,
};

const { kycRecordId, platformId, resolution, attempt, dueAt, leaseUntil, needsAttentionSince, readAt } =
  summary;
const { status, subStatus } = kycRecords;
/** What changes while a record is open. */
const state = {
  ...{ kycRecordId, platformId, resolution, attempt, dueAt, leaseUntil, needsAttentionSince, readAt },
  ...{ status, subStatus, version },
  ...work,
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

const providerStep = {
  name: providerSteps.name,
  result: providerSteps.result,
  storedAt: shownMoment(sql`${providerSteps.keptAt}`),
};

const storedAttempt = {
  number: kycAttempts.number,
  lastNumber: kycAttempts.lastNumber,
  step: kycAttempts.step,
  startedAt: shownMoment(sql`${kycAttempts.startedAt}`),
  lastStartedAt: shownMoment(sql`${kycAttempts.lastStartedAt}`),
  milliseconds: kycAttempts.milliseconds,
  outcome: kycAttempts.outcome,
  reason: kycAttempts.reason,
  by: kycAttempts.actor,
  count: kycAttempts.count,
};

/** Reads KYC records for operators: their state and attempts, never the submitted data. */
export function adminView(
  database: Database,
  names: NamePorts,
): Pick<KycAdmin, "list" | "show" | "state" | "attempts"> {
  return {
    list: ({ unresolvedSeconds, platformId, limit }) =>
      database.withoutPlatform((tx) => {
        const age = unresolvedSeconds === undefined ? null : `${unresolvedSeconds} seconds`;
        const waiting = sql`list_waiting(${age}::interval, ${platformId ?? null}::text, ${limit}::integer)`;
        return tx.select(summary).from(waiting);
      }),

    async show(kycRecordId) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      const record = await database.asPlatform<Unnamed<RecordDetails>>(platformId, async (tx) => {
        const found = tx.select(details).from(kycRecords).where(isRecord(platformId, kycRecordId));
        const changes = tx
          .select(historyEntry)
          .from(kycHistory)
          .where(and(eq(kycHistory.platformId, platformId), eq(kycHistory.recordId, kycRecordId)))
          .orderBy(asc(kycHistory.id));
        const steps = tx
          .select(providerStep)
          .from(providerSteps)
          .where(and(eq(providerSteps.platformId, platformId), eq(providerSteps.recordId, kycRecordId)))
          .orderBy(asc(providerSteps.keptAt), asc(providerSteps.name));
        return pipelineCommit([found, changes, steps], ([rows, history, kept]) => ({
          ...requireRow(rows, "KYC record"),
          history,
          providerSteps: kept,
        }));
      });
      return { ...record, assignee: await nameOf(names, record.assignee) };
    },

    async state(kycRecordId) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      const record = await database.asPlatform<Unnamed<RecordState>>(platformId, async (tx) => {
        const found = tx.select(state).from(kycRecords).where(isRecord(platformId, kycRecordId));
        return pipelineCommit([found], ([rows]) => requireRow(rows, "KYC record"));
      });
      return { ...record, assignee: await nameOf(names, record.assignee) };
    },

    async attempts(kycRecordId) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform<StoredAttempt[]>(platformId, async (tx) => {
        const found = tx
          .select(storedAttempt)
          .from(kycAttempts)
          .where(and(eq(kycAttempts.platformId, platformId), eq(kycAttempts.recordId, kycRecordId)))
          .orderBy(asc(kycAttempts.number));
        return pipelineCommit([found], ([rows]) => rows);
      });
    },
  };
}

/** A record whose assignee is an id. */
type Unnamed<T> = Omit<T, "assignee"> & { assignee: string | null };

function isRecord(platformId: string, kycRecordId: string) {
  return and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId));
}
