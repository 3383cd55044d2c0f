import { load } from "./load.mjs";
import { cpuOf, memoryOf } from "./process.mjs";

/**
 * One round: its figures, with the cost of a call for the serving process and for the database. A request may contain
 * several calls.
 */
export async function round({ process, next, calls = 1, refusals, database }, amount) {
  const [before, used] = [cpuOf(process), await database?.used()];
  const { perSecond, p50, p99 } = await load(process.url, next, { amount: amount / calls, refusals });
  const result = { perSecond: perSecond * calls, p50, p99, memory: memoryOf(process) };
  const cpu = (cpuOf(process) - before) / amount;
  if (!database) return { ...result, cpu };
  const now = await database.used();
  const [databaseCpu, wal] = [now.cpu - used.cpu, now.wal - used.wal].map((sum) => sum / amount);
  return { ...result, cpu, databaseCpu, wal };
}

/**
 * Runs rounds of all contestants, alternating their order, so that a disturbance of the machine affects all of them.
 * The first round of each contestant is a warm-up and does not count; `analyze` is awaited after it.
 *
 * @returns the results of each contestant, by name
 */
export async function inRounds(contestants, { rounds, amount, analyze = async () => {}, say }) {
  const results = new Map(contestants.map(({ name }) => [name, []]));
  for (let number = 0; number <= rounds; number += 1) {
    const order = number % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      const result = await round(contestant, amount);
      if (number > 0) results.get(contestant.name).push(result);
    }
    if (number === 0) await analyze();
    say(`round ${number} of ${rounds}`);
  }
  return results;
}

/** Runs the same rounds and returns the median of each figure. */
export async function compare(contestants, options) {
  const results = await inRounds(contestants, options);
  return new Map([...results].map(([name, all]) => [name, medians(all)]));
}

/** The median of each figure over several results. */
export function medians(all) {
  const names = Object.keys(all[0]);
  return Object.fromEntries(names.map((name) => [name, median(all.map((one) => one[name]))]));
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
