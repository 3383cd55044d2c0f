import { and, desc, eq, isNull, ne, sql } from "drizzle-orm";
import { insertFrom } from "../insert-from.ts";
import { idempotencyKeys, kycHistory, kycRecords, providerSteps, users } from "../schema.ts";
import { perConnection } from "../statements.ts";
import { isKey } from "./idempotency-statements.ts";
import { changeRow, historyRow, recordRow, userRow } from "./insert-rows.ts";

const { placeholder } = sql;

/** The columns of the domain's KycRecord. */
export const recordFields = {
  kycRecordId: kycRecords.id,
  externalUserId: kycRecords.userId,
  resolution: kycRecords.resolution,
  status: kycRecords.status,
  subStatus: kycRecords.subStatus,
  cardAccountId: kycRecords.cardAccountId,
  revision: kycRecords.revision,
  explanation: kycRecords.explanation,
  attempt: kycRecords.attempt,
  createdAt: kycRecords.createdAt,
};

/** A user's wrapped data key. Typed as non-null: no caller unwraps the key of an erased user. */
const wrappedKey = { dataKey: sql<Buffer>`${users.dataKey}`, keyVersion: sql<number>`${users.keyVersion}` };

/** An answered record is queried again after half its age, from five seconds to an hour: most decisions come early. */
const halfAge = sql`(clock_timestamp() - ${kycRecords.createdAt}) / 2`;
const nextDue = sql`clock_timestamp() + least(greatest(${halfAge}, interval '5 seconds'), interval '1 hour')`;

/** An unresolved record older than `holdAfter` needs attention. */
const isOverdue = sql`${kycRecords.resolution} = 'unresolved'
  and ${kycRecords.createdAt} < clock_timestamp() - ${placeholder("holdAfter")}::interval`;

const isRecord = and(
  eq(kycRecords.platformId, placeholder("platformId")),
  eq(kycRecords.id, placeholder("kycRecordId")),
);
const ownsRecord = and(isRecord, eq(kycRecords.attempt, placeholder("attempt")));

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
  dueAt: sql`case when ${placeholder("final")}::boolean then null else ${nextDue} end`,
  answeredAt: sql`coalesce(${kycRecords.answeredAt}, clock_timestamp())`,
};
/** Whether no verdict or manual decision was stored since the read. Each changes the resolution or the revision. */
const isUnchanged = and(
  ownsRecord,
  eq(kycRecords.resolution, placeholder("knownResolution")),
  sql`${kycRecords.revision} is not distinct from ${placeholder("knownRevision")}::bigint`,
);

/** The statements of KYC records, prepared once per connection. */
export const kycStatements = perConnection((tx) => {
  const userId = tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.platformId, placeholder("platformId")),
        eq(users.memberIdIndex, placeholder("memberIdIndex")),
      ),
    );
  const usedKey = tx
    .select({ recordId: idempotencyKeys.recordId })
    .from(idempotencyKeys)
    .where(and(isKey, ne(idempotencyKeys.recordId, placeholder("kycRecordId"))));
  const unlessKeyIsUsed = sql`(values (1)) as one where not exists (${usedKey})`;
  const newUser = tx
    .$with("new_user", { id: users.id })
    .as(
      sql`${insertFrom(users, userRow, unlessKeyIsUsed)} on conflict do nothing returning ${sql.identifier("id")}`,
    );
  const updated = tx
    .$with("updated")
    .as(tx.update(kycRecords).set(change).where(isUnchanged).returning({ kycRecordId: kycRecords.id }));
  const owned = tx
    .$with("owned")
    .as(
      tx
        .select({ platformId: kycRecords.platformId, recordId: kycRecords.id, attempt: kycRecords.attempt })
        .from(kycRecords)
        .where(ownsRecord)
        .for("no key update"),
    );

  return {
    // Inserts nothing if the user exists, or if the Idempotency-Key belongs to another record, which is then replayed.
    insertUser: tx.with(newUser).select().from(newUser).prepare("kyc_insert_user"),

    // The latest record of the user with the member id. The user is not erased, so the record has a fingerprint.
    latestRecord: tx
      .select({ record: recordFields, fingerprint: sql<Buffer>`${kycRecords.fingerprint}` })
      .from(kycRecords)
      .where(
        and(eq(kycRecords.platformId, placeholder("platformId")), sql`${kycRecords.userId} = (${userId})`),
      )
      .orderBy(desc(kycRecords.createdAt), desc(kycRecords.id))
      .limit(1)
      .prepare("kyc_latest_record"),

    insertRecord: tx
      .insert(kycRecords)
      .values(recordRow)
      .returning(recordFields)
      .prepare("kyc_insert_record"),

    findRecord: tx.select(recordFields).from(kycRecords).where(isRecord).prepare("kyc_find_record"),

    lockRecord: tx
      .select(recordFields)
      .from(kycRecords)
      .where(isRecord)
      .for("no key update")
      .prepare("kyc_lock_record"),

    updateRecord: tx.update(kycRecords).set(change).where(isRecord).prepare("kyc_update_record"),

    // Updates the record and inserts its history row in one statement, unless the record was changed.
    updateIfUnchanged: tx
      .with(updated, tx.$with("history", {}).as(insertFrom(kycHistory, changeRow, sql`updated`)))
      .select()
      .from(updated)
      .prepare("kyc_update_if_unchanged"),

    // A record without a due time is decided or needs attention. It gets no due time.
    rescheduleAttempt: tx
      .update(kycRecords)
      .set({
        step: sql`${placeholder("step")}`,
        notFound: sql`${placeholder("notFound")}::bigint`,
        leaseUntil: null,
        needsAttentionSince: sql`coalesce(${kycRecords.needsAttentionSince}, case when ${isOverdue} then clock_timestamp() end)`,
        dueAt: sql`case when ${kycRecords.dueAt} is null or ${isOverdue} then null
          when ${kycRecords.resolution} = 'unresolved' then clock_timestamp() + ${placeholder("delay")}::interval
          else ${nextDue} end`,
      })
      .where(ownsRecord)
      .prepare("kyc_reschedule_attempt"),

    loadAttempt: tx
      .select({
        record: recordFields,
        encrypted: kycRecords.encrypted,
        step: kycRecords.step,
        notFound: kycRecords.notFound,
        traceparent: kycRecords.traceparent,
        wrappedKey,
      })
      .from(kycRecords)
      .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
      .where(ownsRecord)
      .prepare("kyc_load_attempt"),

    // A superseded attempt gets no row. The owning attempt gets a null result if none is stored.
    findStep: tx
      .select({ result: providerSteps.result })
      .from(kycRecords)
      .leftJoin(
        providerSteps,
        and(
          eq(providerSteps.platformId, kycRecords.platformId),
          eq(providerSteps.recordId, kycRecords.id),
          eq(providerSteps.name, placeholder("name")),
        ),
      )
      .where(ownsRecord)
      .prepare("kyc_find_step"),

    // Locks the record first, so that no other attempt can lease it in between.
    keepStep: tx
      .with(owned)
      .insert(providerSteps)
      .select(
        tx
          .select({
            platformId: owned.platformId,
            recordId: owned.recordId,
            name: sql`${placeholder("name")}::text`.as("name"),
            attempt: owned.attempt,
            result: sql`${placeholder("result")}::jsonb`.as("result"),
            keptAt: sql`clock_timestamp()`.as("kept_at"),
          })
          .from(owned),
      )
      .onConflictDoUpdate({
        target: [providerSteps.platformId, providerSteps.recordId, providerSteps.name],
        set: {
          attempt: sql`excluded.attempt`,
          result: sql`excluded.result`,
          keptAt: sql`excluded.kept_at`,
        },
      })
      .returning({ name: providerSteps.name })
      .prepare("kyc_keep_step"),

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

    insertHistory: tx.insert(kycHistory).values(historyRow).prepare("kyc_insert_history"),

    insertChange: tx.insert(kycHistory).values(changeRow).prepare("kyc_insert_change"),
  };
});
