import type { RateLimits } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { requireRow } from "../require-row.ts";
import { withCommit } from "../transaction.ts";

interface Row extends Record<string, unknown> {
  granted: number;
  remaining: number;
  processes: number;
}

/** The shared token buckets; see the port. `processId` names this process among those that take tokens. */
export function rateLimitsRepository(database: Database, processId: string): RateLimits {
  return {
    lease: (platformId, kind, { calls, seconds }, wanted) =>
      database.asPlatform(platformId, async (tx) => {
        const leased = tx.execute<Row>(
          sql`select * from lease_rate_tokens(${processId}, ${kind}, ${calls}, ${seconds}, ${wanted})`,
        );
        return withCommit([leased], ([{ rows }]) => requireRow(rows, "rate limit"));
      }),
  };
}
