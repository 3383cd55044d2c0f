import { and, asc, desc, eq, inArray, or, sql } from "drizzle-orm";
import { kycHistory, kycRecords, users } from "./schema.ts";
import { perConnection } from "./statements.ts";

const given = sql.placeholder;

/** A record as the domain knows it. */
const record = {
  kycRecordId: kycRecords.id,
  externalUserId: kycRecords.userId,
  settlement: kycRecords.settlement,
  status: kycRecords.status,
  subStatus: kycRecords.subStatus,
  cardAccountId: kycRecords.cardAccountId,
  attempt: kycRecords.attempt,
  createdAt: kycRecords.createdAt,
};

const state = {
  settlement: given("settlement"),
  status: given("status"),
  subStatus: given("subStatus"),
  cardAccountId: given("cardAccountId"),
};

/** The statements behind KYC records, prepared once per connection. */
export const kycStatements = perConnection((tx) => {
  const sameUser = and(
    eq(users.platformId, given("platformId")),
    or(eq(users.memberId, given("memberId")), eq(users.emailNormalized, given("emailNormalized"))),
  );

  return {
    insertUser: tx
      .insert(users)
      .values({
        id: given("externalUserId"),
        platformId: given("platformId"),
        memberId: given("memberId"),
        email: given("email"),
        emailNormalized: given("emailNormalized"),
      })
      .onConflictDoNothing()
      .prepare("kyc_insert_user"),

    // At most two: the one with the member id and the one with the e-mail.
    lockUsers: tx
      .select({ id: users.id, memberId: users.memberId, emailNormalized: users.emailNormalized })
      .from(users)
      .where(sameUser)
      .orderBy(asc(users.id))
      .for("no key update")
      .prepare("kyc_lock_users"),

    latestRecord: tx
      .select({ record, fingerprint: kycRecords.fingerprint })
      .from(kycRecords)
      .where(
        and(
          eq(kycRecords.platformId, given("platformId")),
          inArray(kycRecords.userId, tx.select({ id: users.id }).from(users).where(sameUser)),
        ),
      )
      .orderBy(desc(kycRecords.createdAt), desc(kycRecords.id))
      .limit(1)
      .prepare("kyc_latest_record"),

    insertRecord: tx
      .insert(kycRecords)
      .values({
        id: given("kycRecordId"),
        platformId: given("platformId"),
        userId: given("externalUserId"),
        request: given("request"),
        fingerprint: given("fingerprint"),
        ...state,
        attempt: 1,
        leaseUntil: sql`now() + interval '30 seconds'`,
        dueAt: sql`now() + interval '30 seconds'`,
      })
      .returning(record)
      .prepare("kyc_insert_record"),

    lockRecord: tx
      .select(record)
      .from(kycRecords)
      .where(and(eq(kycRecords.platformId, given("platformId")), eq(kycRecords.id, given("kycRecordId"))))
      .for("no key update")
      .prepare("kyc_lock_record"),

    settleRecord: tx
      .update(kycRecords)
      .set({
        settlement: sql`${given("settlement")}`,
        status: sql`${given("status")}`,
        subStatus: sql`${given("subStatus")}`,
        cardAccountId: sql`${given("cardAccountId")}`,
        leaseUntil: null,
        dueAt: null,
        answeredAt: sql`clock_timestamp()`,
      })
      .where(and(eq(kycRecords.platformId, given("platformId")), eq(kycRecords.id, given("kycRecordId"))))
      .prepare("kyc_settle_record"),

    insertHistory: tx
      .insert(kycHistory)
      .values({
        platformId: given("platformId"),
        recordId: given("kycRecordId"),
        source: given("source"),
        ...state,
      })
      .prepare("kyc_insert_history"),
  };
});
