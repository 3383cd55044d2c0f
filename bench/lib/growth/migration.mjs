import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { Pool } from "undici";
import { exchange, quantile } from "../load.mjs";
import { keyedSubmits, lists } from "../requests.mjs";

/** The changes of an additive migration, each on the table with the most rows. */
const steps = [
  ["add a nullable column", "alter table kyc_history add column bench_note text"],
  [
    "add a column with a constant default",
    "alter table kyc_history add column bench_flag boolean not null default false",
  ],
  [
    "`CREATE INDEX CONCURRENTLY`",
    "create index concurrently bench_index on kyc_history (platform_id, observed_at)",
  ],
  [
    "add a constraint as `NOT VALID`",
    "alter table kyc_history add constraint bench_check check (length(source) < 100) not valid",
  ],
  ["`VALIDATE CONSTRAINT`", "alter table kyc_history validate constraint bench_check"],
];
const quietMs = 10_000;
const shortestMs = 4_000;
/** A list each 20 ms, and a submission each 100 ms. */
const everyMs = { list: 20, submission: 100 };

/**
 * Runs the changes of additive migrations while light calls run.
 *
 * @returns for each step, first for none: its seconds, and the p99 of lists and submissions meanwhile in ms
 */
export async function measureMigration(world) {
  const service = await world.service({ RUN: "api", LOOKUP_CACHE_SECONDS: "0" });
  const client = new pg.Client({ connectionString: world.database.adminUrl });
  await client.connect();
  try {
    await callsDuring(world, service, () => wait(3_000));
    const results = [{ what: "none", ...(await callsDuring(world, service, () => wait(quietMs))) }];
    for (const [what, statement] of steps) {
      let seconds;
      const calls = await callsDuring(world, service, async () => {
        const startedAt = performance.now();
        await client.query(statement);
        seconds = (performance.now() - startedAt) / 1_000;
        await wait(Math.max(0, shortestMs - seconds * 1_000));
      });
      results.push({ what, seconds, ...calls });
    }
    return results;
  } finally {
    await client.end();
    await service.stop();
  }
}

/** Makes calls at a fixed rate while `work` runs. Returns the p99 of each kind in milliseconds. */
async function callsDuring(world, { url }, work) {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const kinds = { list: lists(world), submission: keyedSubmits(world) };
  const calls = { list: [], submission: [] };
  const timers = Object.entries(kinds).map(([kind, next]) =>
    setInterval(() => calls[kind].push(exchange(pool, next())), everyMs[kind]),
  );
  await work();
  for (const timer of timers) clearInterval(timer);
  const p99 = async (kind) => {
    const answers = await Promise.all(calls[kind]);
    const failed = answers.find(({ status }) => status !== 200);
    if (failed) throw new Error(`A ${kind} returns ${failed.status}.`);
    const times = answers.map(({ millis }) => millis).sort((a, b) => a - b);
    return quantile(times, 0.99);
  };
  const result = { list: await p99("list"), submission: await p99("submission") };
  await pool.destroy();
  return result;
}
