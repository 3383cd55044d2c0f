import { type Audit, Failure } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { unavailable } from "../failures.ts";
import { pipelineCommit } from "../transaction.ts";
import { entriesAbout } from "./about.ts";
import { createNextCheckpoint } from "./checkpoint.ts";
import { appendEntry, auditStatements } from "./statements.ts";
import { toListed } from "./to-listed.ts";
import { verifyBatch } from "./verify.ts";

/** The audit of platforms; see the port for the contract. */
export function auditRepository(database: Database, { audit: key }: Pick<KeySet, "audit">): Audit {
  return {
    async append(platformId, entry) {
      const appended = database.asPlatform(platformId, async (tx) =>
        pipelineCommit([appendEntry(tx, platformId, entry)], () => undefined),
      );
      await appended.catch((error: unknown) => {
        throw error instanceof Failure ? error : unavailable(error);
      });
    },

    list: (platformId, limit) =>
      database.asPlatform(platformId, async (tx) => {
        const newest = auditStatements(tx).newestEntries.execute({ platformId, limit });
        return pipelineCommit([newest], ([rows]) => rows.map(toListed));
      }),

    about: (platformId, subjects) => entriesAbout(database, platformId, subjects),

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
