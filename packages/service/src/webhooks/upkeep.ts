import { type DeliveryCount, maxPendingDeliveries } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Ports } from "../operation/ports.ts";

interface CountRow extends Record<string, unknown> {
  pending: number;
  oldest_seconds: number;
  disabled_endpoints: number;
}

/** Counts the pending deliveries and the disabled endpoints of all platforms. Throws as `Database.withoutPlatform`. */
export async function countDeliveries({ database }: Pick<Ports, "database">): Promise<DeliveryCount> {
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
}

/**
 * Deletes events older than `days` and the deliveries of deleted endpoints, and fails pending deliveries of disabled
 * endpoints, up to `limit` of each. Returns the number of rows; 0 if no work is left.
 */
export async function pruneWebhooks(
  { database }: Pick<Ports, "database">,
  days: number,
  limit: number,
): Promise<number> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ count: number }>(
      sql`select sweep_webhooks(${`${days} days`}::interval, ${limit})::int as count`,
    ),
  );
  return rows[0]?.count ?? 0;
}

/**
 * Disables the endpoints with `maxPending` pending deliveries (gap G32); `pruneWebhooks` fails their deliveries.
 * Throws as `Database.withoutPlatform`.
 */
export async function disableBacklogged(
  { database, observer }: Pick<Ports, "database" | "observer">,
  maxPending = maxPendingDeliveries,
): Promise<void> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ platform_id: string }>(
      sql`select disable_backlogged_endpoints(${maxPending}) as platform_id`,
    ),
  );
  for (const { platform_id: platformId } of rows)
    observer.observe("webhook_endpoint_disabled", { reason: "backlog", platformId });
}
