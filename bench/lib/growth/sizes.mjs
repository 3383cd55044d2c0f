import { setTimeout as wait } from "node:timers/promises";
import { load } from "../load.mjs";
import { keyedSubmits } from "../requests.mjs";

/**
 * The rows and the bytes of each table: heap, indexes and TOAST. A partitioned table is the sum of its partitions.
 *
 * @returns {Promise<Map<string, { rows: number, heap: number, indexes: number, toast: number }>>} by table
 */
export async function sizesOf({ query }) {
  const tables = await query(
    `select coalesce(i.inhparent, c.oid)::regclass::text as name,
       sum(pg_relation_size(c.oid))::float8 as heap, sum(pg_indexes_size(c.oid))::float8 as indexes,
       sum(coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0))::float8 as toast
     from pg_class as c left join pg_inherits as i on i.inhrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     group by 1 order by 1`,
  );
  const sizes = new Map();
  for (const { name, ...bytes } of tables) {
    const [{ rows }] = await query(`select count(*)::float8 as rows from ${name}`);
    sizes.set(name, { rows, ...bytes });
  }
  return sizes;
}

/** What each table gained between two calls of `sizesOf`, per unit; without the tables that gained no rows. */
function gained(before, after, units) {
  const gains = [...after].map(([name, sizes]) => {
    const each = Object.entries(sizes).map(([what, value]) => [
      what,
      (value - before.get(name)[what]) / units,
    ]);
    return { name, ...Object.fromEntries(each) };
  });
  return gains.filter(({ rows }) => rows >= 0.01);
}

const batch = 1_000;
const batches = 3;

/** What each table gains by a submission that the provider approves at once, with its webhooks, after a vacuum. */
export async function measureSizes(world) {
  const { query } = world.database;
  const development = { NODE_ENV: "development" };
  const api = await world.service({ RUN: "api", ...development });
  const worker = await world.service({ RUN: "worker", ...development });
  const next = keyedSubmits(world);
  const submit = async () => {
    await load(api.url, next, { amount: batch });
    while ((await query("select from webhook_deliveries where status = 'pending' limit 1")).length > 0)
      await wait(50);
    await query("vacuum");
  };
  await submit();
  const before = await sizesOf(world.database);
  for (let number = 0; number < batches; number += 1) await submit();
  const gains = gained(before, await sizesOf(world.database), batch * batches);
  for (const service of [api, worker]) await service.stop();
  return gains;
}
