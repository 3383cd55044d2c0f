import autocannon from "autocannon";
import { cpuOf, memoryOf } from "./process.mjs";

const connections = 32;

/** One round: so many requests over keep-alive. */
async function round({ process, request }, amount) {
  const before = cpuOf(process);
  const { duration, latency, non2xx, errors } = await autocannon({
    url: process.url,
    connections,
    amount,
    ...request(process.url),
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were no success, ${errors} never came.`);
  return {
    perSecond: amount / duration,
    cpu: (cpuOf(process) - before) / amount,
    p50: latency.p50,
    p99: latency.p99,
    memory: memoryOf(process),
  };
}

/**
 * Rounds of all contestants in turn, so that whatever disturbs the machine disturbs all of them; of each figure the
 * median. The first round of each warms up and does not count; `settle` is waited for after it.
 */
export async function compare(contestants, { rounds, amount, settle }) {
  const results = new Map(contestants.map(({ name }) => [name, []]));
  for (let number = 0; number <= rounds; number += 1) {
    for (const contestant of contestants) {
      const result = await round(contestant, amount);
      if (number > 0) results.get(contestant.name).push(result);
      process.stderr.write(".");
    }
    if (number === 0) await settle();
  }
  process.stderr.write("\n");
  return new Map([...results].map(([name, all]) => [name, medians(all)]));
}

function medians(all) {
  const names = Object.keys(all[0]);
  return Object.fromEntries(names.map((name) => [name, median(all.map((one) => one[name]))]));
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
