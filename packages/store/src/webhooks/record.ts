import {
  type DueDelivery,
  type RecordedAttempt,
  slowAttemptMs,
  type WebhookDeliveries,
} from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { webhookEndpoints } from "../schema.ts";
import type { KeyGate } from "../sealing/key-gate.ts";
import { withCommit } from "../transaction.ts";
import { isEndpoint, sealedTarget } from "./endpoint-columns.ts";
import { unwrapEndpointKey } from "./endpoint-key.ts";
import { failPending } from "./fail-pending.ts";
import { sealExcerpt } from "./sealed-excerpt.ts";

/** How long every attempt of an endpoint has to fail before it is disabled (gap G32). */
const failingDays = sql.raw("interval '5 days'");

/** Stores attempts and what follows them. */
export function records(database: Database, keyGate: KeyGate): Pick<WebhookDeliveries, "record"> {
  return {
    async record(due, attempt) {
      const { ring } = await keyGate();
      const { platformId, endpointId } = due;
      const disabled = await database.asPlatform<boolean>(platformId, async (tx) => {
        const [target] = await tx
          .select(sealedTarget)
          .from(webhookEndpoints)
          .where(isEndpoint(platformId, endpointId));
        if (!target) return false;
        const dataKey = unwrapEndpointKey(target, due, ring);
        const stored = tx.execute<{ disabled: boolean }>(storeAttempt(due, attempt, dataKey));
        return withCommit([stored], ([{ rows }]) => rows.some((row) => row.disabled));
      });
      // After a crash here the worker's sweep fails them.
      if (disabled) await failPending(database, due);
      return { disabled };
    },
  };
}

/** Ends a lease, unless another one began: the delivery, the attempt's row and the endpoint's state in one statement. */
function storeAttempt(
  { platformId, deliveryId, lease }: DueDelivery,
  { outcome, decision, milliseconds }: RecordedAttempt,
  dataKey: Buffer,
): SQL {
  const answer = outcome.kind === "answered" ? outcome : null;
  const reason = outcome.kind === "answered" ? null : outcome.reason;
  const excerpt = answer?.excerpt
    ? sealExcerpt(answer.excerpt, dataKey, { platformId, deliveryId, lease })
    : null;
  const retryIn = decision.kind === "retry" ? `${decision.delayMs} milliseconds` : null;
  return sql`
    with ended as (
      update webhook_deliveries as d set
        status = case when ${decision.kind}::text = 'delivered' then 'delivered'
          when ${retryIn}::interval is null or e.disabled_at is not null then 'failed' else 'pending' end,
        due_at = case when e.disabled_at is null then clock_timestamp() + ${retryIn}::interval end,
        delivered_at = case when ${decision.kind}::text = 'delivered' then clock_timestamp() else d.delivered_at end,
        lease_until = null
      from webhook_endpoints as e
      where d.platform_id = ${platformId} and d.id = ${deliveryId} and d.lease = ${lease}
        and d.lease_until is not null and e.id = d.endpoint_id
      returning d.id, d.endpoint_id
    ), stored as (
      insert into webhook_attempts
        (platform_id, delivery_id, lease, started_at, milliseconds, status, reason, excerpt)
      select ${platformId}, id, ${lease}::integer,
        clock_timestamp() - ${`${milliseconds} milliseconds`}::interval, ${milliseconds}::integer,
        ${answer?.status ?? null}::integer, ${reason}::text, ${excerpt}::bytea
      from ended
    )
    ${decision.kind === "delivered" ? afterSuccess(milliseconds <= slowAttemptMs) : afterFailure(decision.kind === "gone")}`;
}

/** Concurrent attempts of an endpoint lock its row only when its state changes. */
function afterSuccess(prompt: boolean): SQL {
  return sql`
    update webhook_endpoints as e set prompt = ${prompt}::boolean, failing_since = null
    from ended
    where e.id = ended.endpoint_id and (e.prompt <> ${prompt}::boolean or e.failing_since is not null)
    returning false as disabled`;
}

function afterFailure(gone: boolean): SQL {
  const ends = sql`(${gone}::boolean or coalesce(e.failing_since <= clock_timestamp() - ${failingDays}, false))`;
  return sql`
    update webhook_endpoints as e set
      prompt = false,
      failing_since = coalesce(e.failing_since, clock_timestamp()),
      disabled_at = case when ${ends} then clock_timestamp() end,
      disabled_reason = case when ${gone}::boolean then 'gone' when ${ends} then 'failing' end
    from ended
    where e.id = ended.endpoint_id and e.disabled_at is null
      and (e.prompt or e.failing_since is null or ${ends})
    returning e.disabled_at is not null as disabled`;
}
