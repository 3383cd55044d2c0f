import { and, desc, eq, ne, notExists, sql } from "drizzle-orm";
import { insertFrom } from "../database/insert-from.ts";
import { idempotencyKeys, kycHistory, kycRecords, restoredExecutions, users } from "../database/schema.ts";
import { perConnection } from "../database/statements.ts";
import { isKey } from "./idempotency-statements.ts";
import { historyRow, recordRow, userRow } from "./insert-rows.ts";
import { currentIds, isRecord, newestFirst, recordFields } from "./record-fields.ts";

const { placeholder } = sql;

/** The statements that create a record or find the one to replay, prepared once per connection. */
export const creationStatements = perConnection((tx) => {
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
  const restoredFingerprint = sql<string | null>`case when ${kycRecords.fingerprint} is null then (${tx
    .select({ fingerprint: restoredExecutions.fingerprint })
    .from(restoredExecutions)
    .where(eq(restoredExecutions.reference, kycRecords.id))}) end`;
  const isOfUser = and(
    eq(kycRecords.platformId, placeholder("platformId")),
    sql`${kycRecords.userId} = (${userId})`,
  );
  const [latestId, approvedId] = currentIds(tx, isOfUser);
  const equalId = tx
    .select({ id: kycRecords.id })
    .from(kycRecords)
    .where(and(isOfUser, eq(kycRecords.fingerprint, placeholder("fingerprint"))))
    .orderBy(...newestFirst)
    .limit(1);
  const adopted = tx.select().from(kycRecords).where(eq(kycRecords.id, restoredExecutions.reference));
  const newUser = tx
    .$with("new_user", { id: users.id })
    .as(
      sql`${insertFrom(users, userRow, unlessKeyIsUsed)} on conflict do nothing returning ${sql.identifier("id")}`,
    );

  return {
    // Inserts nothing if the user exists, or if the Idempotency-Key belongs to another record, which is then replayed.
    insertUser: tx.with(newUser).select().from(newUser).prepare("kyc_insert_user"),

    // The latest record of the user with the member id, the last approved one, and the newest one with this fingerprint,
    // newest first. This may read every record of the user, which needs no index: 1,000 records add 0.1 ms.
    recordsToCompare: tx
      .select({ record: recordFields, fingerprint: kycRecords.fingerprint, restoredFingerprint })
      .from(kycRecords)
      .where(and(isOfUser, sql`${kycRecords.id} in (${latestId}, ${approvedId}, (${equalId}))`))
      .orderBy(...newestFirst)
      .prepare("kyc_records_to_compare"),

    // The execution of a submission whose user and record a restored database forgot.
    findRestored: tx
      .select({ kycRecordId: restoredExecutions.reference, externalUserId: restoredExecutions.userReference })
      .from(restoredExecutions)
      .where(and(eq(restoredExecutions.fingerprint, placeholder("providerFingerprint")), notExists(adopted)))
      .orderBy(desc(restoredExecutions.reference))
      .limit(1)
      .prepare("kyc_find_restored"),

    insertRecord: tx
      .insert(kycRecords)
      .values(recordRow)
      .returning(recordFields)
      .prepare("kyc_insert_record"),

    findRecord: tx.select(recordFields).from(kycRecords).where(isRecord).prepare("kyc_find_record"),

    insertHistory: tx.insert(kycHistory).values(historyRow).prepare("kyc_insert_history"),
  };
});
