import type { KycAdmin, RecordDetails, RecordSummary } from "@cardbridge/domain";
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { requireRow } from "../require-row.ts";
import { shownMoment } from "../schema/columns.ts";
import { kycHistory, kycRecords, providerSteps } from "../schema.ts";
import { pipelineCommit } from "../transaction.ts";
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

const details = {
  ...summary,
  externalUserId: kycRecords.userId,
  status: kycRecords.status,
  subStatus: kycRecords.subStatus,
  cardAccountId: kycRecords.cardAccountId,
  revision: kycRecords.revision,
  explanation: kycRecords.explanation,
};

const historyEntry = {
  resolution: kycHistory.resolution,
  status: kycHistory.status,
  subStatus: kycHistory.subStatus,
  explanation: kycHistory.explanation,
  source: kycHistory.source,
  observedAt: shownMoment(sql`${kycHistory.observedAt}`),
};

const providerStep = {
  name: providerSteps.name,
  result: providerSteps.result,
  storedAt: shownMoment(sql`${providerSteps.keptAt}`),
};

/** Reads KYC records for operators: their state and attempts, never the submitted data. */
export function adminView(database: Database): Pick<KycAdmin, "list" | "show"> {
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
      return database.asPlatform<RecordDetails>(platformId, async (tx) => {
        const found = tx
          .select(details)
          .from(kycRecords)
          .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
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
    },
  };
}
