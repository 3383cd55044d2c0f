import { requireFree } from "../lib/disk.mjs";
import { measureMigration } from "../lib/growth/migration.mjs";
import { measurePasses } from "../lib/growth/passes.mjs";
import { measureRequests } from "../lib/growth/requests.mjs";
import { measureSizes, sizesOf } from "../lib/growth/sizes.mjs";
import { textOf } from "../lib/growth/text.mjs";
import { measureWorker } from "../lib/growth/worker.mjs";
import { createFilledWorld } from "../lib/growth/world.mjs";
import { medians } from "../lib/rounds.mjs";
import { figure } from "../lib/table.mjs";
import { startReceiver } from "../lib/webhooks.mjs";

const few = 1_000;
const workerRounds = 3;

/** The same work with few users and with many, in one run: requests, a worker, its passes, and a migration. */
export async function run({ full, rounds, amount, say }) {
  requireFree(full ? 80 : 20, full ? "growth --full" : "growth");
  const many = full ? 10_000_000 : 1_000_000;
  using receiver = await startReceiver();
  const create = (users) => createFilledWorld({ users, slim: full, receiver: receiver.url, say });
  const perSubmission = await measureNewRows(create);
  await using small = await create(few);
  const startedAt = performance.now();
  await using large = await create(many);
  const seconds = (performance.now() - startedAt) / 1_000;
  const sizes = await sizesOf(large.database);
  say(`${figure(many)} users filled in ${figure(seconds)} s`);

  const passes = [await measurePasses(small.database), await measurePasses(large.database)];
  const sizeOfRounds = { rounds: Math.ceil(rounds / 2), amount: amount / 2 };
  const requests = await measureRequests([small, large], { ...sizeOfRounds, say });
  const worked = { before: [], after: [] };
  for (let round = 1; round <= workerRounds; round += 1) {
    worked.before.push(await measureWorker(small));
    worked.after.push(await measureWorker(large));
    say(`round ${round} of ${workerRounds} of the worker`);
  }
  const worker = { before: medians(worked.before), after: medians(worked.after) };
  const migration = await measureMigration(large);
  say("migration measured");
  return textOf({
    few,
    many,
    full,
    seconds,
    sizes,
    passes,
    requests,
    worker,
    migration,
    perSubmission,
  });
}

/** In a world of its own, because the other measurements leave free space in the tables. */
async function measureNewRows(create) {
  await using world = await create(few);
  return await measureSizes(world);
}
