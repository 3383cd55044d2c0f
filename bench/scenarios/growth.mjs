import { requireFree } from "../lib/disk.mjs";
import { measurePasses } from "../lib/growth/passes.mjs";
import { measureRequests } from "../lib/growth/requests.mjs";
import { createFilledWorld } from "../lib/growth/world.mjs";
import { change, figure, table } from "../lib/table.mjs";

const few = 1_000;
/** The maximum growth of CPU and p99 that counts as flat. */
const allowed = 0.1;

/** The same requests and passes of a worker with few users and with many, in one run. */
export async function run({ full, rounds, amount, say }) {
  requireFree(full ? 80 : 20, full ? "growth --full" : "growth");
  const many = full ? 10_000_000 : 1_000_000;
  const create = (users) => createFilledWorld({ users, slim: full, say });
  await using small = await create(few);
  await using large = await create(many);
  const passes = [await measurePasses(small.database), await measurePasses(large.database)];
  const options = { rounds: Math.ceil(rounds / 2), amount: amount / 2, say };
  const requests = await measureRequests([small, large], options);
  return `From ${figure(few)} to ${figure(many)} users.

${table(["requests", "p50 ms", "p99 ms", "", "CPU µs", ""], requests.map(rowOfRequests))}

${requests.map(verdict).join(" ")}

${table(["one pass", "rows read", "blocks read", "ms"], rowsOfPasses(passes))}`;
}

function rowOfRequests({ what, before, after }) {
  return [
    what,
    pair(before.p50, after.p50, 1),
    pair(before.p99, after.p99, 1),
    change(before.p99, after.p99),
    pair(before.cpu, after.cpu),
    change(before.cpu, after.cpu),
  ];
}

function verdict({ what, before, after }) {
  const flat = (name) => (after[name] <= before[name] * (1 + allowed) ? "yes" : "no");
  return `Flat, ${what}: CPU ${flat("cpu")}, p99 ${flat("p99")}.`;
}

function rowsOfPasses([small, large]) {
  return [...small].map(([what, before]) => {
    const after = large.get(what);
    const figures = [pair(before.rows, after.rows), pair(before.blocks, after.blocks)];
    return [what, ...figures, pair(before.ms, after.ms, 1)];
  });
}

const pair = (before, after, digits = 0) => `${figure(before, digits)} → ${figure(after, digits)}`;
