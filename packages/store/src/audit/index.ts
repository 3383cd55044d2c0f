import { type Audit, Failure } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { unavailable } from "../failures.ts";
import type { Keys } from "../sealing/keys.ts";
import { withCommit } from "../transaction.ts";
import { sealNext } from "./seal.ts";
import { note } from "./statements.ts";

/** The audit of platforms; see the port for the contract. */
export function auditRepository(database: Database, { audit: key }: Pick<Keys, "audit">): Audit {
  return {
    async note(platformId, entry) {
      const noting = database.asPlatform(platformId, async (tx) =>
        withCommit([note(tx, platformId, entry)], () => undefined),
      );
      await noting.catch((error: unknown) => {
        throw error instanceof Failure ? error : unavailable(error);
      });
    },

    unsealed: () =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ platform_id: string; oldest_seconds: number }>(
          sql`select platform_id, oldest_seconds::float8 from list_unsealed_audit()`,
        );
        return rows.map((row) => ({ platformId: row.platform_id, oldestSeconds: row.oldest_seconds }));
      }),

    seal: (platformId, most) => sealNext(database, platformId, { key, most }),
  };
}
