import type { RestoreFinding } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { verifyAuditBatch } from "../audit/verify.ts";
import type { Database } from "../database/database.ts";
import type { Ports } from "../operation/ports.ts";

/** A platform, for the check of a restored database. */
export interface AuditedPlatform {
  platformId: string;
  /** When its newest audit entry was written; null without one. */
  newestAt: Date | null;
  /** Whether the server's next transaction follows the newest entry. A dump in another server starts again below it. */
  continues: boolean;
}

/** Lists every platform with the end of its audit. */
export async function auditedPlatforms(database: Database): Promise<AuditedPlatform[]> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ platform_id: string; newest_at: Date | null; continues: boolean }>(
      sql`select platform_id, newest_at, continues from list_audited_platforms()`,
    ),
  );
  return rows.map(({ platform_id: platformId, newest_at, continues }) => ({
    platformId,
    newestAt: newest_at && new Date(newest_at),
    continues,
  }));
}

/** Verifies the audit of every platform. Its last checkpoints are for the report: the next check can require them. */
export async function checkAudit(
  ports: Pick<Ports, "database" | "keySet">,
  platforms: readonly AuditedPlatform[],
): Promise<RestoreFinding> {
  const sum = { checkpoints: 0, entries: 0, pending: 0 };
  const problems = platforms
    .filter(({ continues }) => !continues)
    .map(
      ({ platformId }) =>
        `${platformId}: the server's next transaction number is below that of the newest entry.`,
    );
  const ends: string[] = [];
  for (const { platformId } of platforms) {
    let end: { number: number; hash: string } | null = null;
    for (let after: number | null = 0; after !== null; ) {
      const batch = await verifyAuditBatch(ports, platformId, { after });
      sum.checkpoints += batch.checkpoints;
      sum.entries += batch.entries;
      sum.pending += batch.pending ?? 0;
      problems.push(...batch.problems.map((problem) => `${platformId}: ${problem}`));
      end = batch.last ?? end;
      after = batch.next;
    }
    if (end) ends.push(`${platformId}: last checkpoint ${end.number}:${end.hash}`);
  }
  const counts = `${sum.entries} entries under ${sum.checkpoints} checkpoints of ${platforms.length} platforms, ${sum.pending} later entries.`;
  const found = problems.length === 0 ? `The audit is valid: ${counts}` : `The audit is not valid: ${counts}`;
  return {
    check: "Audit",
    result: problems.length === 0 ? "ok" : "problem",
    found,
    details: [...problems, ...ends],
  };
}
