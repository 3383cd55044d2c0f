import { and, asc, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { insertFrom } from "../insert-from.ts";
import { kycHistory, kycRecords, users } from "../schema.ts";
import { perConnection } from "../statements.ts";
import { historyRow, recordRow, userRow } from "./rows.ts";

const given = sql.placeholder;

/** A record as the domain knows it. */
export const record = {
  kycRecordId: kycRecords.id,
  externalUserId: kycRecords.userId,
  settlement: kycRecords.settlement,
  status: kycRecords.status,
  subStatus: kycRecords.subStatus,
  cardAccountId: kycRecords.cardAccountId,
  revision: kycRecords.revision,
  attempt: kycRecords.attempt,
  createdAt: kycRecords.createdAt,
};

/** A user's data key; of a user who is not erased it is there. */
const wrappedKey = { dataKey: sql<Buffer>`${users.dataKey}`, keyVersion: sql<number>`${users.keyVersion}` };

/** Asked again after half its age, between five seconds and an hour: young records are decided soon. */
const half = sql`(clock_timestamp() - ${kycRecords.createdAt}) / 2`;
const trackedAt = sql`clock_timestamp() + least(greatest(${half}, interval '5 seconds'), interval '1 hour')`;

/** An unsettled record that is tried for too long waits for people. */
const isOverdue = sql`${kycRecords.settlement} = 'unsettled'
  and ${kycRecords.createdAt} < clock_timestamp() - ${given("holdAfter")}::interval`;

const isIt = and(eq(kycRecords.platformId, given("platformId")), eq(kycRecords.id, given("kycRecordId")));
const isMine = and(isIt, eq(kycRecords.attempt, given("attempt")));

/** What a verdict says, once it counts. Only what an attempt learned ends that attempt's lease. */
const verdict = {
  settlement: sql`${given("settlement")}`,
  status: sql`${given("status")}`,
  subStatus: sql`${given("subStatus")}`,
  cardAccountId: sql`${given("cardAccountId")}`,
  revision: sql`${given("revision")}::bigint`,
  leaseUntil: null,
  heldAt: null,
  step: "ask" as const,
  dueAt: sql`case when ${given("final")}::boolean then null else ${trackedAt} end`,
  answeredAt: sql`coalesce(${kycRecords.answeredAt}, clock_timestamp())`,
};
/** Neither a verdict nor a person's word came between: each changes the settlement or the revision. */
const isAsKnown = and(
  isMine,
  eq(kycRecords.settlement, given("knownSettlement")),
  sql`${kycRecords.revision} is not distinct from ${given("knownRevision")}::bigint`,
);

/** The statements behind KYC records, prepared once per connection. */
export const kycStatements = perConnection((tx) => {
  const ofPlatform = eq(users.platformId, given("platformId"));
  const hasMemberId = eq(users.memberIdIndex, given("memberIdIndex"));
  const hasEmail = eq(users.emailIndex, given("emailIndex"));
  const idsWith = (name: SQL) => tx.select({ id: users.id }).from(users).where(and(ofPlatform, name));
  // Each name by its own unique index: a plan for either of them at once, made while the tables were still
  // empty, reads all users of the platform until they are analyzed.
  const sameIds = sql`any(array(${idsWith(hasMemberId).unionAll(idsWith(hasEmail))}))`;
  const named = idsWith(hasMemberId).union(idsWith(hasEmail)).as("named");
  const latest = tx
    .select({ ...record, fingerprint: sql<Buffer>`${kycRecords.fingerprint}`.as("fingerprint") })
    .from(kycRecords)
    .where(and(eq(kycRecords.platformId, given("platformId")), eq(kycRecords.userId, named.id)))
    .orderBy(desc(kycRecords.createdAt), desc(kycRecords.id))
    .limit(1)
    .as("latest");
  const { fingerprint, ...latestFields } = latest._.selectedFields;
  const learned = tx
    .$with("learned")
    .as(tx.update(kycRecords).set(verdict).where(isAsKnown).returning({ kycRecordId: kycRecords.id }));

  return {
    insertUser: tx.insert(users).values(userRow).onConflictDoNothing().prepare("kyc_insert_user"),

    // At most two: the one with the member id and the one with the e-mail.
    lockUsers: tx
      .select({
        id: users.id,
        memberIdIndex: users.memberIdIndex,
        emailIndex: users.emailIndex,
        eraseRequestedAt: users.eraseRequestedAt,
        wrappedKey,
      })
      .from(users)
      .where(and(ofPlatform, or(hasMemberId, hasEmail), eq(users.id, sameIds)))
      .orderBy(asc(users.id))
      .for("no key update")
      .prepare("kyc_lock_users"),

    latestRecord: tx
      .select({ record: latestFields, fingerprint })
      .from(named)
      .crossJoinLateral(latest)
      .orderBy(desc(latest.createdAt), desc(latest.kycRecordId))
      .limit(1)
      .prepare("kyc_latest_record"),

    insertRecord: tx.insert(kycRecords).values(recordRow).returning(record).prepare("kyc_insert_record"),

    findRecord: tx.select(record).from(kycRecords).where(isIt).prepare("kyc_find_record"),

    lockRecord: tx
      .select(record)
      .from(kycRecords)
      .where(isIt)
      .for("no key update")
      .prepare("kyc_lock_record"),

    updateRecord: tx.update(kycRecords).set(verdict).where(isIt).prepare("kyc_learn_verdict"),

    // With its history row in one statement, where the record is as it is known.
    updateIfUnchanged: tx
      .with(learned, tx.$with("history", {}).as(insertFrom(kycHistory, historyRow, sql`learned`)))
      .select()
      .from(learned)
      .prepare("kyc_learn_as_known"),

    // What is not due, because it is held or decided, does not become it.
    rescheduleAttempt: tx
      .update(kycRecords)
      .set({
        step: sql`${given("step")}`,
        notFound: sql`${given("notFound")}::bigint`,
        leaseUntil: null,
        heldAt: sql`coalesce(${kycRecords.heldAt}, case when ${isOverdue} then clock_timestamp() end)`,
        dueAt: sql`case when ${kycRecords.dueAt} is null or ${isOverdue} then null
          when ${kycRecords.settlement} = 'unsettled' then clock_timestamp() + ${given("delay")}::interval
          else ${trackedAt} end`,
      })
      .where(isMine)
      .prepare("kyc_postpone_attempt"),

    loadAttempt: tx
      .select({
        record,
        sealed: kycRecords.sealed,
        step: kycRecords.step,
        notFound: kycRecords.notFound,
        wrappedKey,
      })
      .from(kycRecords)
      .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
      .where(isMine)
      .prepare("kyc_open_attempt"),

    insertHistory: tx.insert(kycHistory).values(historyRow).prepare("kyc_insert_history"),
  };
});
