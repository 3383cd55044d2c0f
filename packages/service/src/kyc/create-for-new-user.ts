import { type KycRecord, newState } from "@cardbridge/domain";
import { eq, type SQL, sql } from "drizzle-orm";
import { insertFrom } from "../database/insert-from.ts";
import { kycHistory, kycRecords, restoredExecutions, users } from "../database/schema.ts";
import { perConnection, type Tx } from "../database/statements.ts";
import { encryptSubmissionUnder } from "../encryption/submission.ts";
import { entryRow, newEntries } from "../operation/audit.ts";
import { creationEntry } from "./audit-creation.ts";
import { historyRow, recordRow, userRow } from "./insert-rows.ts";
import type { PreparedRecord } from "./prepare-record.ts";
import { recordFields } from "./record-fields.ts";

/** Inserts every row of a submission, each selected from the user's new row: nothing if the user already exists. */
const statement = perConnection((tx) => {
  const part = (name: string, text: SQL) => tx.$with(name, {}).as(text);
  const restored = tx
    .select({ reference: restoredExecutions.reference })
    .from(restoredExecutions)
    .where(eq(restoredExecutions.fingerprint, sql.placeholder("providerFingerprint")));
  const insertUser = insertFrom(users, userRow, sql`(values (1)) as one where not exists (${restored})`);
  const newUser = sql`new_user`;
  const created = tx
    .$with("created", recordFields)
    .as(sql`${insertFrom(kycRecords, recordRow, newUser)} returning *`);
  return tx
    .with(
      part("new_user", sql`${insertUser} on conflict do nothing returning 1`),
      created,
      part("history", insertFrom(kycHistory, historyRow, newUser)),
      part("audit", insertFrom(newEntries, entryRow, newUser)),
    )
    .select()
    .from(created)
    .prepare("kyc_create_for_new_user");
});

/**
 * Creates the record of a new user in one statement. Returns no row and writes nothing if the user exists, or if the
 * submission may have an execution that a restored database forgot.
 */
export function createForNewUser(tx: Tx, prepared: PreparedRecord): Promise<KycRecord[]> {
  const { platformId, request, user, dataKey, fingerprint, providerFingerprint, lease } = prepared;
  const { submission, externalUserId, kycRecordId } = request;
  return statement(tx).execute({
    ...newState,
    ...request.expiry,
    renews: null,
    ...user,
    ...creationEntry(request, "done", kycRecordId),
    purpose: null,
    encryptedSubmission: encryptSubmissionUnder(dataKey, submission, { platformId, kycRecordId }),
    platformId,
    externalUserId,
    kycRecordId,
    fingerprint,
    providerFingerprint,
    lease,
    source: "submission",
  });
}
