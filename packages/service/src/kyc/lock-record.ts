import type { KycRecord } from "@cardbridge/domain";
import { requireRow } from "../database/require-row.ts";
import type { Tx } from "../database/statements.ts";
import { changeStatements } from "./change-statements.ts";

/** Locks a record until the transaction ends. The record must exist. */
export async function lockRecord(tx: Tx, platformId: string, kycRecordId: string): Promise<KycRecord> {
  const rows = await changeStatements(tx).lockRecord.execute({ platformId, kycRecordId });
  return requireRow(rows, "KYC record");
}
