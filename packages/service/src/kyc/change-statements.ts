import { and, eq, isNull, sql } from "drizzle-orm";
import { insertFrom } from "../database/insert-from.ts";
import { kycHistory, kycRecords, users } from "../database/schema.ts";
import { perConnection } from "../database/statements.ts";
import { storeReport } from "./attempt-report.ts";
import { changeRow } from "./insert-rows.ts";
import { isRecord, ownsRecord, recordFields } from "./record-fields.ts";

const { placeholder } = sql;

/** An answered record is queried again after half its age, from five seconds to an hour: most decisions come early. */
const halfAge = sql`(clock_timestamp() - ${kycRecords.createdAt}) / 2`;
/** A record with an answer that the provider does not have yet is due after half the time since the answer. */
const answerAge = sql`(select greatest((clock_timestamp() - min(answered_at)) / 2, interval '1 second')
  from document_requests as d
  where d.platform_id = ${kycRecords.platformId} and d.record_id = ${kycRecords.id} and d.status = 'answered' and d.sent_at is null
  having count(*) > 0)`;
export const nextDue = sql`clock_timestamp() + least(greatest(${halfAge}, interval '5 seconds'), ${answerAge}, interval '1 hour')`;

/** The columns that an accepted verdict changes. The verdict also ends the attempt's lease. */
const change = {
  resolution: sql`${placeholder("resolution")}`,
  status: sql`${placeholder("status")}`,
  subStatus: sql`${placeholder("subStatus")}`,
  cardAccountId: sql`${placeholder("cardAccountId")}`,
  revision: sql`${placeholder("revision")}::bigint`,
  explanation: sql`${sql.param(placeholder("explanation"), kycRecords.explanation)}`,
  leaseUntil: null,
  needsAttentionSince: null,
  step: "ask" as const,
  // A person can decide while a worker is to ask about the provider's decision, so the record stays due.
  dueAt: sql`case when not ${placeholder("final")}::boolean then ${nextDue}
    when ${placeholder("manual")}::boolean then ${kycRecords.dueAt} end`,
  answeredAt: sql`coalesce(${kycRecords.answeredAt}, clock_timestamp())`,
  // Also for the approval of an earlier version, which a verdict now replaces.
  approvedAt: sql`coalesce(${kycRecords.approvedAt},
    case when 'APPROVED' in (${placeholder("status")}, ${kycRecords.status}) then clock_timestamp() end)`,
};
/** Whether no verdict or manual decision was stored since the read. Each changes the resolution or the revision. */
const isUnchanged = and(
  ownsRecord,
  eq(kycRecords.resolution, placeholder("knownResolution")),
  sql`${kycRecords.revision} is not distinct from ${placeholder("knownRevision")}::bigint`,
);

/** The statements that change a record, prepared once per connection. */
export const changeStatements = perConnection((tx) => {
  const updated = tx
    .$with("updated")
    .as(tx.update(kycRecords).set(change).where(isUnchanged).returning({ kycRecordId: kycRecords.id }));

  return {
    lockRecord: tx
      .select(recordFields)
      .from(kycRecords)
      .where(isRecord)
      .for("no key update")
      .prepare("kyc_lock_record"),

    updateRecord: tx.update(kycRecords).set(change).where(isRecord).prepare("kyc_update_record"),

    // Updates the record, inserts its history row and stores the report in one statement, unless the record was changed.
    updateIfUnchanged: tx
      .with(updated, tx.$with("history", {}).as(insertFrom(kycHistory, changeRow, sql`updated`)))
      .select({ kycRecordId: updated.kycRecordId, reported: storeReport })
      .from(updated)
      .prepare("kyc_update_if_unchanged"),

    insertChange: tx.insert(kycHistory).values(changeRow).prepare("kyc_insert_change"),

    // Excludes erased users, whose e-mail is null too.
    withoutEmail: tx
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          eq(users.platformId, placeholder("platformId")),
          eq(users.id, placeholder("userId")),
          isNull(users.emailIndex),
          isNull(users.erasedAt),
        ),
      )
      .prepare("kyc_without_email"),
  };
});
