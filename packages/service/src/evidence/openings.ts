import { sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { Ports } from "../operation/ports.ts";

interface Opened {
  platformId: string;
  kycRecordId: string;
  personId: string;
  evidenceHash: string;
}

/** Whether the person has opened this evidence of the record, also if the opening has expired (gap G38). */
export function hasOpenedEvidence(
  { database }: Pick<Ports, "database">,
  { platformId, kycRecordId, personId, evidenceHash }: Opened,
): Promise<boolean> {
  return database.asPlatform<boolean>(platformId, async (tx) => {
    const found = tx.execute<{ opened: boolean }>(
      sql`select has_opened_evidence(${platformId}, ${kycRecordId}, ${personId}, ${evidenceHash}) as opened`,
    );
    return pipelineCommit([found], ([{ rows }]) => requireRow(rows, "answer").opened);
  });
}

/** Deletes up to `limit` openings that expired a day ago and that no open proposal needs; returns their number. */
export async function sweepOpenings({ database }: Pick<Ports, "database">, limit: number): Promise<number> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ count: number }>(sql`select sweep_openings(${limit})::int as count`),
  );
  return rows[0]?.count ?? 0;
}
