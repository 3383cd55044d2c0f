import { type Audit, endOfMonth, Failure } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { unavailable } from "../failures.ts";
import type { Tx } from "../statements.ts";
import { pipelineCommit } from "../transaction.ts";
import { entriesAbout } from "./about.ts";
import { createNextCheckpoint } from "./checkpoint.ts";
import { exportMonth } from "./export-month.ts";
import { lastExport } from "./exports.ts";
import { entriesOfRequest } from "./of-request.ts";
import { appendEntry, auditStatements } from "./statements.ts";
import { toListed } from "./to-listed.ts";
import { verifyBatch } from "./verify.ts";

/** The audit of platforms; see the port for the contract. */
export function auditRepository(database: Database, { audit: key }: Pick<KeySet, "audit">): Audit {
  async function write(platformId: string, statement: (tx: Tx) => Promise<unknown>): Promise<void> {
    const written = database.asPlatform(platformId, async (tx) =>
      pipelineCommit([statement(tx)], () => undefined),
    );
    await written.catch((error: unknown) => {
      throw error instanceof Failure ? error : unavailable(error);
    });
  }

  return {
    append: (platformId, entry) => write(platformId, (tx) => appendEntry(tx, platformId, entry)),

    appendRead: (platformId, { outcome: _done, ...entry }) =>
      write(platformId, (tx) => auditStatements(tx).appendRead.execute({ ...entry })),

    ofRequest: (platforms, requestId) => entriesOfRequest(database, platforms, requestId),
    appendHourly: (platformId, { outcome: _done, ...entry }) =>
      write(platformId, (tx) => auditStatements(tx).appendHourly.execute({ ...entry })),

    async writeReadCounts(limit) {
      const { rows } = await database.withoutPlatform((tx) =>
        tx.execute<{ count: number }>(sql`select write_read_counts(${limit})::int as count`),
      );
      return rows[0]?.count ?? 0;
    },

    list: (platformId, limit) =>
      database.asPlatform(platformId, async (tx) => {
        const newest = auditStatements(tx).newestEntries.execute({ platformId, limit });
        return pipelineCommit([newest], ([rows]) => rows.map(toListed));
      }),

    search: () => Promise.reject(new Error("Not built yet.")),
    proofs: () => Promise.reject(new Error("Not built yet.")),
    about: (platformId, subjects) => entriesAbout(database, platformId, subjects),
    since: (platformId) =>
      database.asPlatform<string | null>(platformId, async (tx) => {
        const dropped = await lastExport(tx, platformId, { dropped: true });
        return dropped ? new Date(endOfMonth(dropped.month.slice(0, 7))).toISOString() : null;
      }),

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
