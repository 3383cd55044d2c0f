import { type ClaimRequest, type KycRecord, newState } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import { noteRow, notes } from "../audit/statements.ts";
import { insertFrom } from "../insert-from.ts";
import { kycHistory, kycRecords, users } from "../schema.ts";
import { perConnection, type Tx } from "../statements.ts";
import { noteOf } from "./claim-notes.ts";
import { historyRow, recordRow, userRow } from "./rows.ts";
import { record } from "./statements.ts";

/** All that a claim writes, in one statement: nothing where the user is there, since each row needs the user's. */
const statement = perConnection((tx) => {
  const part = (name: string, text: SQL) => tx.$with(name, {}).as(text);
  const inserted = insertFrom(users, userRow, sql`(values (1)) as one`);
  const newcomer = sql`newcomer`;
  const made = tx.$with("made", record).as(sql`${insertFrom(kycRecords, recordRow, newcomer)} returning *`);
  return tx
    .with(
      part("newcomer", sql`${inserted} on conflict do nothing returning 1`),
      made,
      part("history", insertFrom(kycHistory, historyRow, newcomer)),
      part("noted", insertFrom(notes, noteRow, newcomer)),
    )
    .select()
    .from(made)
    .prepare("kyc_claim_newcomer");
});

/** What is written for a user who is new. */
export interface Newcomer {
  user: Record<"memberIdIndex" | "emailIndex" | "sealed" | "dataKey", Buffer> & { keyVersion: number };
  sealedSubmission: Buffer;
  fingerprint: Buffer;
  lease: string;
}

/** Claims for a user who is new, in one statement; gives no row, and has written nothing, for any other. */
export function claimNewcomer(
  tx: Tx,
  platformId: string,
  request: ClaimRequest,
  { user, ...rest }: Newcomer,
): Promise<KycRecord[]> {
  const { externalUserId, kycRecordId } = request;
  const written = { ...newState, ...user, ...rest, ...noteOf(request, "done", kycRecordId) };
  return statement(tx).execute({ ...written, platformId, externalUserId, kycRecordId, source: "submission" });
}
