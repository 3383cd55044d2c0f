import pg from "pg";
import { medians } from "../rounds.mjs";

const warmUps = 8;
const repetitions = 5;

/**
 * The passes of a worker, and the counts of its metrics: the description, the call, and in `work` the statement that
 * gives the pass the same work in each world.
 */
const passes = [
  {
    what: "lease of 10 records, of 100 due",
    call: "lease_due(10, interval '30 s')",
    work: `update kyc_records set resolution = 'unresolved', due_at = now() where id in (select id from kyc_records limit 100)`,
  },
  {
    what: "lease of 8 deliveries, of 100 due",
    call: "lease_webhook_deliveries('[]', 256, 64, 8, 32, interval '30 s')",
    work: `update webhook_deliveries set status = 'pending', due_at = now() where id in (
      select id from webhook_deliveries where sequence = 1 limit 100)`,
  },
  { what: "sweep of webhooks, none expired", call: "sweep_webhooks(interval '10 years', 1000)" },
  {
    what: "sweep of webhooks, 300 events expired",
    call: "sweep_webhooks(interval '60 days', 1000)",
    work: `update webhook_events set created_at = now() - interval '61 days' where id in (select id from webhook_events limit 300)`,
  },
  {
    what: "300 idempotency keys expired",
    call: "delete_idempotency_keys(interval '60 days', 1000)",
    work: `update idempotency_keys set created_at = now() - interval '61 days' where key_hash in (
      select key_hash from idempotency_keys limit 300)`,
  },
  {
    what: "erasure requested for 300 users without activity",
    call: "request_expired_erasures(interval '4 years', 5000)",
    work: `with old as (
        update users set created_at = now() - interval '5 years' where id in (
          select user_id from kyc_records where resolution <> 'unresolved' limit 300) returning id)
      update kyc_records set created_at = now() - interval '5 years' where user_id in (select id from old)`,
  },
  {
    what: "erasure of 100 users",
    call: "erase_users(100)",
    work: `update users set erase_requested_at = now() where id in (
      select user_id from kyc_records where resolution <> 'unresolved' offset 400 limit 100)`,
  },
  { what: "platforms with audit entries to cover", call: "list_pending_audit()" },
  { what: "count of waiting records", call: "count_waiting()" },
  { what: "list of waiting records", call: "list_waiting(null, null, 20)" },
  { what: "count of pending deliveries", call: "count_webhook_deliveries()" },
];

/**
 * Runs each pass as the service, first until its plan is the one that stays. All passes run in one transaction, which is
 * rolled back.
 *
 * @returns {Promise<Map<string, { rows: number, blocks: number, ms: number }>>} by description; rows are those that all
 *   scans returned, blocks those of 8 KB that were read or found in memory
 */
export async function measurePasses({ adminUrl }) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("begin");
    for (const { work } of passes) if (work) await client.query(work);
    await client.query("set local role cardbridge_app");
    const measured = new Map();
    for (const { what, call } of passes) {
      for (let number = 0; number < warmUps; number += 1) await runOnce(client, call);
      const results = [];
      for (let number = 0; number < repetitions; number += 1) results.push(await runOnce(client, call));
      measured.set(what, medians(results));
    }
    await client.query("rollback");
    return measured;
  } finally {
    await client.end();
  }
}

async function runOnce(client, call) {
  await client.query("savepoint pass");
  const before = await rowsRead(client);
  const { rows } = await client.query(`explain (analyze, buffers, format json) select * from ${call}`);
  const read = (await rowsRead(client)) - before;
  await client.query("rollback to pass");
  const [{ Plan: plan, "Execution Time": ms }] = rows[0]["QUERY PLAN"];
  return { rows: read, blocks: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], ms };
}

/** The rows that the scans of this transaction returned, and those of earlier ones that are not reported yet. */
async function rowsRead(client) {
  const { rows } = await client.query(
    `select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::float8 as read
     from pg_stat_xact_user_tables`,
  );
  return rows[0].read;
}
