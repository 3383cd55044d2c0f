import type { DueDelivery, WebhookDeliveries } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { webhookEndpoints } from "../database/schema.ts";
import { perConnection, pipelineCommit, type Tx } from "../database/statements.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { encryptedTarget, isEndpoint } from "./endpoint.ts";
import { encryptExcerpt, unwrapEndpointKey } from "./endpoint-key.ts";
import { failPending } from "./fail-pending.ts";

/** The time for which every attempt of an endpoint has to fail before it is disabled (G32). */
const failingDays = sql.raw("interval '5 days'");

const { placeholder } = sql;
const platformId = sql`${placeholder("platformId")}::text`;
const lease = sql`${placeholder("lease")}::integer`;
const milliseconds = sql`${placeholder("milliseconds")}::integer`;
const isDelivered = sql`(${placeholder("kind")}::text = 'delivered')`;
const isGone = sql`(${placeholder("kind")}::text = 'gone')`;
/** Null if there is no further attempt. */
const retryIn = sql`${placeholder("retryInMs")}::double precision * interval '1 millisecond'`;

/** Ends a current lease: updates the delivery and the endpoint and inserts the attempt in one statement. */
const recordStatements = perConnection((tx) => ({
  findKey: tx
    .select(encryptedTarget)
    .from(webhookEndpoints)
    .where(isEndpoint(placeholder("platformId"), placeholder("endpointId")))
    .prepare("webhook_record_key"),
  success: storeAttempt(tx, afterSuccess).prepare("webhook_record_success"),
  failure: storeAttempt(tx, afterFailure).prepare("webhook_record_failure"),
}));

function storeAttempt(tx: Tx, changeEndpoint: SQL) {
  const part = (name: string, text: SQL) => tx.$with(name, {}).as(text);
  const changed = tx.$with("changed", { disabled: sql<boolean>`disabled`.as("disabled") }).as(changeEndpoint);
  return tx
    .with(part("ended", endLease), part("stored", insertAttempt), changed)
    .select({ disabled: changed.disabled })
    .from(changed);
}

const endLease = sql`
  update webhook_deliveries as d set
    status = case when ${isDelivered} then 'delivered'
      when ${retryIn} is null or e.disabled_at is not null then 'failed' else 'pending' end,
    due_at = case when e.disabled_at is null then clock_timestamp() + ${retryIn} end,
    delivered_at = case when ${isDelivered} then clock_timestamp() else d.delivered_at end,
    attempts = d.attempts + 1, lease_until = null
  from webhook_endpoints as e
  where d.platform_id = ${platformId} and d.id = ${placeholder("deliveryId")}::text and d.lease = ${lease}
    and d.lease_until is not null and e.id = d.endpoint_id and e.deleted_at is null
  returning d.id, d.endpoint_id, d.attempts`;

const insertAttempt = sql`
  insert into webhook_attempts
    (platform_id, delivery_id, lease, number, started_at, milliseconds, status, reason, excerpt)
  select ${platformId}, id, ${lease}, attempts, clock_timestamp() - ${milliseconds} * interval '1 millisecond', ${milliseconds},
    ${placeholder("status")}::integer, ${placeholder("reason")}::text, ${placeholder("excerpt")}::bytea
  from ended`;

/** Concurrent attempts of an endpoint lock its row only when its state changes. */
const afterSuccess = sql`
  update webhook_endpoints as e set succeeded = true, failing_since = null
  from ended
  where e.id = ended.endpoint_id and not e.succeeded
  returning false as disabled`;

const ends = sql`(${isGone} or coalesce(e.failing_since <= clock_timestamp() - ${failingDays}, false))`;
const afterFailure = sql`
  update webhook_endpoints as e set
    succeeded = false,
    failing_since = coalesce(e.failing_since, clock_timestamp()),
    disabled_at = case when ${ends} then clock_timestamp() end,
    disabled_reason = case when ${isGone} then 'gone' when ${ends} then 'failing' end
  from ended
  where e.id = ended.endpoint_id and e.disabled_at is null
    and (e.failing_since is null or ${ends})
  returning e.disabled_at is not null as disabled`;

/** Records attempts and their consequences. */
export function records(database: Database, verifiedKeys: VerifiedKeys): Pick<WebhookDeliveries, "record"> {
  return {
    async record(due, { outcome, decision, milliseconds }) {
      const { ring } = await verifiedKeys();
      const disabled = await database.asPlatform<boolean>(due.platformId, async (tx) => {
        const { success, failure } = recordStatements(tx);
        const stored = (decision.kind === "delivered" ? success : failure).execute({
          ...due,
          ...(outcome.kind === "answered"
            ? {
                status: outcome.status,
                reason: null,
                excerpt: await encrypted(tx, due, outcome.excerpt, ring),
              }
            : { status: null, reason: outcome.reason, excerpt: null }),
          kind: decision.kind,
          retryInMs: decision.kind === "retry" ? decision.delayMs : null,
          milliseconds,
        });
        return pipelineCommit([stored], ([rows]) => rows.some((row) => row.disabled));
      });
      // After a crash here, the worker's sweep fails them.
      if (disabled) await failPending(database, due);
      return { disabled };
    },
  };
}

/** Encrypts an excerpt under its endpoint's key; null for an empty excerpt and for a deleted endpoint. */
async function encrypted(tx: Tx, due: DueDelivery, excerpt: string, ring: KeyRing): Promise<Buffer | null> {
  if (excerpt === "") return null;
  const [wrapped] = await recordStatements(tx).findKey.execute({ ...due });
  return wrapped ? encryptExcerpt(excerpt, unwrapEndpointKey(wrapped, due, ring), due) : null;
}
