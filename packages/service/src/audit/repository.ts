import type { Audit } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { KeySet } from "../encryption/keys.ts";
import type { NamePorts } from "../persons/names.ts";
import { entriesAbout } from "./about.ts";
import { createNextCheckpoint } from "./create-checkpoint.ts";
import { exportMonth } from "./export-month.ts";
import { endOfExport, lastExport } from "./exports.ts";
import { listEntries } from "./list-entries.ts";
import { entriesOfRequest } from "./of-request.ts";
import { proveEntries } from "./proofs.ts";
import { verifyBatch } from "./verify-batch.ts";

/** The audit of platforms; see the port for the contract. Without `names`, lists name nobody. */
export function auditRepository(
  database: Database,
  { audit: key }: Pick<KeySet, "audit">,
  names: NamePorts,
): Audit {
  const since = (platformId: string) =>
    database.asPlatform<string | null>(platformId, async (tx) => {
      const dropped = await lastExport(tx, platformId, { dropped: true });
      return dropped ? endOfExport(dropped.month) : null;
    });

  return {
    ofRequest: (platforms, requestId) => entriesOfRequest(database, platforms, requestId),

    async writeReadCounts(limit) {
      const { rows } = await database.withoutPlatform((tx) =>
        tx.execute<{ count: number }>(sql`select write_read_counts(${limit})::int as count`),
      );
      return rows[0]?.count ?? 0;
    },

    list: (platforms, query) => listEntries(database, { platforms, query, names }),
    async proofs(platformId, subjects, from) {
      const proofs = await proveEntries(database, platformId, { subjects, since: from });
      const dropped = await since(platformId);
      return { ...proofs, since: dropped !== null && dropped > from.toISOString() ? dropped : null };
    },
    about: (platformId, subjects) => entriesAbout(database, platformId, subjects),

    platforms: () =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ id: string }>(
          sql`select platform_id as id from list_audited_platforms()`,
        );
        return rows.map(({ id }) => id);
      }),

    exportMonth: (platformId, by, open) => exportMonth(database, platformId, { key, ...by }, open),

    verify: (platformId, from) => verifyBatch(database, platformId, { key, ...from }),

    pending: () =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ platform_id: string; oldest_seconds: number }>(
          sql`select platform_id, oldest_seconds::float8 from list_pending_audit()`,
        );
        return rows.map((row) => ({ platformId: row.platform_id, oldestSeconds: row.oldest_seconds }));
      }),

    checkpoint: (platformId, limit) => createNextCheckpoint(database, platformId, { key, limit }),
  };
}
