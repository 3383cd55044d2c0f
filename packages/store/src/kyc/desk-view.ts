import type { KycAdmin, KycFile, KycJob } from "@cardbridge/domain";
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { kycHistory, kycRecords } from "../schema.ts";
import { withCommit } from "../transaction.ts";
import { platformOf } from "./platform-of.ts";
import { record } from "./statements.ts";
import { theOneRow } from "./the-one-row.ts";

const moment = (expression: SQL) => expression.mapWith(kycRecords.createdAt);

/** What the table of records and `list_waiting` call by the same names. */
const job = {
  kycRecordId: sql<string>`id`,
  platformId: sql<string>`platform_id`,
  settlement: sql<KycJob["settlement"]>`settlement`,
  attempt: sql<number>`attempt`,
  step: sql<KycJob["step"]>`step`,
  notFound: sql<number>`not_found`,
  createdAt: moment(sql`created_at`),
  dueAt: moment(sql`due_at`),
  leaseUntil: moment(sql`lease_until`),
  heldAt: moment(sql`held_at`),
  readAt: moment(sql`clock_timestamp()`),
};

const change = {
  settlement: kycHistory.settlement,
  status: kycHistory.status,
  subStatus: kycHistory.subStatus,
  source: kycHistory.source,
  observedAt: kycHistory.observedAt,
};

/** What people see of KYC records: where their settling stands, and never what was submitted. */
export function adminView(database: Database): Pick<KycAdmin, "list" | "show"> {
  return {
    list: ({ stuckSeconds, platformId, limit }) =>
      database.withoutPlatform((tx) => {
        const age = stuckSeconds === undefined ? null : `${stuckSeconds} seconds`;
        const waiting = sql`list_waiting(${age}::interval, ${platformId ?? null}::text, ${limit}::integer)`;
        return tx.select(job).from(waiting);
      }),

    async show(kycRecordId) {
      const platformId = await platformOf(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform<KycFile>(platformId, async (tx) => {
        const found = tx
          .select({ record, job })
          .from(kycRecords)
          .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
        const learned = tx
          .select(change)
          .from(kycHistory)
          .where(and(eq(kycHistory.platformId, platformId), eq(kycHistory.recordId, kycRecordId)))
          .orderBy(asc(kycHistory.id));
        return withCommit([found, learned], ([rows, changes]) => ({
          ...theOneRow(rows),
          history: changes.map((row) => ({ ...row, observedAt: row.observedAt.toISOString() })),
        }));
      });
    },
  };
}
