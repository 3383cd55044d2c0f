import { type KycRecord, newState } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import { entryRow, newEntries } from "../audit/statements.ts";
import { insertFrom } from "../insert-from.ts";
import { kycHistory, kycRecords, users } from "../schema.ts";
import { perConnection, type Tx } from "../statements.ts";
import { creationEntry } from "./audit-creation.ts";
import { encryptSubmissionUnder } from "./encrypted-submission.ts";
import { historyRow, recordRow, userRow } from "./insert-rows.ts";
import type { PreparedRecord } from "./prepare-record.ts";
import { recordFields } from "./record-fields.ts";

/** Inserts every row of a submission, each selected from the user's new row: nothing if the user already exists. */
const statement = perConnection((tx) => {
  const part = (name: string, text: SQL) => tx.$with(name, {}).as(text);
  const insertUser = insertFrom(users, userRow, sql`(values (1)) as one`);
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

/** Creates the record of a new user in one statement. If the user exists, returns no row and writes nothing. */
export function createForNewUser(tx: Tx, prepared: PreparedRecord): Promise<KycRecord[]> {
  const { platformId, request, user, dataKey, fingerprint, lease } = prepared;
  const { submission, externalUserId, kycRecordId } = request;
  return statement(tx).execute({
    ...newState,
    ...user,
    ...creationEntry(request, "done", kycRecordId),
    encryptedSubmission: encryptSubmissionUnder(dataKey, submission, { platformId, kycRecordId }),
    platformId,
    externalUserId,
    kycRecordId,
    fingerprint,
    lease,
    source: "submission",
  });
}
