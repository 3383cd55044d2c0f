import type { KycRecord } from "@cardbridge/domain";
import { requireRow } from "../require-row.ts";
import type { Tx } from "../statements.ts";
import { kycStatements } from "./statements.ts";

/** Locks a record until the transaction ends. The record must exist. */
export async function lockRecord(tx: Tx, platformId: string, kycRecordId: string): Promise<KycRecord> {
  const rows = await kycStatements(tx).lockRecord.execute({ platformId, kycRecordId });
  return requireRow(rows, "KYC record");
}
