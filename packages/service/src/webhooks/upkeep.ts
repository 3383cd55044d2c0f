import type { WebhookDeliveries } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";

interface CountRow extends Record<string, unknown> {
  pending: number;
  oldest_seconds: number;
  disabled_endpoints: number;
}

/** Counts and prunes deliveries across platforms. */
export function upkeep(database: Database): Pick<WebhookDeliveries, "count" | "prune"> {
  return {
    async count() {
      const { rows } = await database.withoutPlatform((tx) =>
        tx.execute<CountRow>(
          sql`select pending::int, oldest_seconds::float8, disabled_endpoints::int from count_webhook_deliveries()`,
        ),
      );
      const [row] = rows;
      return {
        pending: row?.pending ?? 0,
        oldestSeconds: row?.oldest_seconds ?? 0,
        disabledEndpoints: row?.disabled_endpoints ?? 0,
      };
    },

    async prune(days, limit) {
      const { rows } = await database.withoutPlatform((tx) =>
        tx.execute<{ count: number }>(
          sql`select sweep_webhooks(${`${days} days`}::interval, ${limit})::int as count`,
        ),
      );
      return rows[0]?.count ?? 0;
    },
  };
}
