import { isDeclined, type KycRecord } from "@cardbridge/domain";
import type { Tx } from "../database/statements.ts";
import { changeStatements } from "./change-statements.ts";

/**
 * Whether a change approves a user without an e-mail (G17). Only users whose latest record is declined can lose their
 * e-mail, so the first decision needs no look-up. Send it after the statement that locks or changes the record: taking
 * over the e-mail requires the same lock.
 */
export async function approvesWithoutEmail(
  tx: Tx,
  platformId: string,
  before: KycRecord,
  record: KycRecord,
): Promise<boolean> {
  if (!isDeclined(before) || record.status !== "APPROVED") return false;
  const id = { platformId, userId: record.externalUserId };
  const rows = await changeStatements(tx).withoutEmail.execute(id);
  return rows.length > 0;
}
