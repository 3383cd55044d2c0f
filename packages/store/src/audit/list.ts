import type { AuditEntry } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { withCommit } from "../transaction.ts";
import { auditStatements } from "./statements.ts";

/** An entry as it is shown to people. */
export type ListedEntry = AuditEntry & { id: bigint; at: Date };

/** A platform's newest entries, the newest first. */
export function listAudit(database: Database, platformId: string, most: number): Promise<ListedEntry[]> {
  return database.asPlatform(platformId, async (tx) => {
    const found = auditStatements(tx).newestEntries.execute({ platformId, most });
    return withCommit([found], ([rows]) => rows.map(({ txid: _order, ...entry }) => entry));
  });
}
