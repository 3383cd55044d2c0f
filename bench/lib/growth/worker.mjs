import { setTimeout as wait } from "node:timers/promises";
import { cpuOf } from "../process.mjs";

const records = 2_000;

/**
 * A worker resolves records that are all due, with their webhooks, as after an outage of the provider. The records are
 * those that the world's service has sent, so the provider knows them, and the worker asks for each once.
 *
 * @returns the records and deliveries per second, and the CPU of a record with its webhook in µs
 */
export async function measureWorker(world) {
  const { query } = world.database;
  await query("update webhook_deliveries set status = 'delivered', due_at = null where status = 'pending'");
  const reset = await query(
    `update kyc_records set resolution = 'unresolved', status = null, sub_status = null, card_account_id = null,
       revision = null, answered_at = null, step = 'ask', due_at = now()
     where id in (select subject from audit_entries order by at desc, id desc limit ${records}) returning id`,
  );
  if (reset.length < records) throw new Error(`Only ${reset.length} records were sent.`);
  const left = async (condition) => (await query(`select from ${condition} limit 1`)).length > 0;
  const until = async (condition) => {
    while (await left(condition)) await wait(10);
    return (performance.now() - startedAt) / 1_000;
  };
  const worker = await world.service({
    RUN: "worker",
    NODE_ENV: "development",
    RESOLVE_PER_SECOND: "10000",
  });
  const startedAt = performance.now();
  const before = cpuOf(worker);
  const resolved = await until(
    "kyc_records where due_at < now() + interval '1 hour' and resolution = 'unresolved'",
  );
  const delivered = await until("webhook_deliveries where status = 'pending'");
  const cpu = (cpuOf(worker) - before) / records;
  await worker.stop();
  return { recordsPerSecond: records / resolved, deliveriesPerSecond: records / delivered, cpu };
}
