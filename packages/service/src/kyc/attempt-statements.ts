import type { Attempt } from "@cardbridge/domain";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { kycRecords, users } from "../database/schema.ts";
import { perConnection } from "../database/statements.ts";
import { storeReport } from "./attempt-report.ts";
import { nextDue } from "./change-statements.ts";
import { ownsRecord, recordFields } from "./record-fields.ts";

const { placeholder } = sql;

/** A user's wrapped data key. Typed as non-null: no caller unwraps the key of an erased user. */
export const wrappedKey = {
  dataKey: sql<Buffer>`${users.dataKey}`,
  keyVersion: sql<number>`${users.keyVersion}`,
};

/**
 * An unresolved record that was created or requeued longer ago than `holdAfter` needs attention. The time of the
 * provider's pauses does not count, because nobody could attempt the record.
 */
const startedAt = sql`coalesce(${kycRecords.requeuedAt}, ${kycRecords.createdAt})`;
const overdueSince = sql`${startedAt} + ${placeholder("holdAfter")}::interval`;
const isOverdue = sql`case when ${kycRecords.resolution} = 'unresolved' and ${overdueSince} < clock_timestamp()
  then ${overdueSince} + provider_paused_since(${startedAt}) < clock_timestamp() else false end`;

/** The record is decided, and the provider repeatedly did not know it: there is nothing to ask for. */
const isUnknownDecision = sql`(${placeholder("step")} = 'send'
  and (${kycRecords.resolution} = 'refused' or coalesce(${kycRecords.status} in ('APPROVED', 'REJECTED'), false)))`;

/** The provider has an answered record, so it is asked about and never sent again, whatever its attempt planned. */
const stepIfUnresolved = (step: SQL | AnyPgColumn) =>
  sql<Attempt["step"]>`case when ${kycRecords.resolution} = 'unresolved' then ${step} else 'ask' end`;

/** The statements of attempts, prepared once per connection. */
export const attemptStatements = perConnection((tx) => {
  // A record without a due time is decided or needs attention. It gets no due time.
  const rescheduled = tx.$with("rescheduled").as(
    tx
      .update(kycRecords)
      .set({
        step: stepIfUnresolved(sql`${placeholder("step")}`),
        notFound: sql`${placeholder("notFound")}::bigint`,
        leaseUntil: null,
        needsAttentionSince: sql`coalesce(${kycRecords.needsAttentionSince}, case when ${isOverdue} then clock_timestamp() end)`,
        dueAt: sql`case when ${kycRecords.dueAt} is null or ${isOverdue} or ${isUnknownDecision} then null
          when ${kycRecords.resolution} = 'unresolved' then clock_timestamp() + ${placeholder("delay")}::interval
          else ${nextDue} end`,
      })
      .where(ownsRecord)
      .returning({ kycRecordId: kycRecords.id }),
  );

  return {
    rescheduleAttempt: tx
      .with(rescheduled)
      .select({ reported: storeReport })
      .from(rescheduled)
      .prepare("kyc_reschedule_attempt"),

    // For an attempt whose record the transaction has locked.
    storeReport: tx
      .select({ reported: storeReport })
      .from(sql`(values (1)) as one`)
      .prepare("kyc_store_report"),

    loadAttempt: tx
      .select({
        record: recordFields,
        encrypted: kycRecords.encrypted,
        // Version 0.2.0 stored the step `send` for answered records.
        step: stepIfUnresolved(kycRecords.step),
        notFound: kycRecords.notFound,
        traceparent: kycRecords.traceparent,
        leaseMs:
          sql<number>`coalesce(extract(epoch from ${kycRecords.leaseUntil} - clock_timestamp()) * 1000, 0)`.mapWith(
            Number,
          ),
        wrappedKey,
      })
      .from(kycRecords)
      .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
      .where(ownsRecord)
      .prepare("kyc_load_attempt"),
  };
});
