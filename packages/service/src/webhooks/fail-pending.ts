import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { EndpointRef } from "./endpoint-key.ts";

const batchSize = 5_000;

/**
 * Fails the pending deliveries of a disabled endpoint, except leased deliveries, whose attempts end on their own. Each
 * batch commits separately. After a crash between batches, the worker's sweep fails the remaining deliveries.
 */
export async function failPending(
  database: Database,
  { platformId, endpointId }: EndpointRef,
): Promise<void> {
  let failed = batchSize;
  while (failed === batchSize) {
    failed = await database.asPlatform<number>(platformId, async (tx) => {
      const batch = tx.execute(sql`
        update webhook_deliveries set status = 'failed', due_at = null, lease_until = null
        where platform_id = ${platformId} and id in (
          select d.id from webhook_deliveries as d
          where d.endpoint_id = ${endpointId} and d.status = 'pending'
            and coalesce(d.lease_until, '-infinity') <= clock_timestamp()
            and exists (select from webhook_endpoints as e where e.id = d.endpoint_id and e.disabled_at is not null)
          order by d.due_at
          limit ${batchSize}
          for update skip locked
        )`);
      return pipelineCommit([batch], ([{ rowCount }]) => rowCount ?? 0);
    });
  }
}
