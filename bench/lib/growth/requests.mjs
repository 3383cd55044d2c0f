import { keyedSubmits, lists } from "../requests.mjs";
import { inRounds, medians } from "../rounds.mjs";

/** The stub provider has a hundred pages for every user. */
const lastPage = 100;
/** Two processes of the same program differ by several percent for their whole life, so each world has several. */
const processes = 2;

const lastPages = (world) => lists(world, lastPage);

/**
 * The same requests in both worlds, and for the first and the last page of a list, in alternating rounds.
 *
 * @returns for each comparison the medians before and after: CPU in µs, p50 and p99 in ms
 */
export async function measureRequests([small, large], { rounds, amount, say }) {
  const comparisons = [
    ["list", [small, lists], [large, lists]],
    ["submission", [small, keyedSubmits], [large, keyedSubmits]],
    [`list of many users, page 1 to ${lastPage}`, [large, lists], [large, lastPages]],
  ];
  const results = new Map(comparisons.map(([what]) => [what, { before: [], after: [] }]));
  for (let number = 1; number <= processes; number += 1) {
    // A lookup cache would make the small world cheaper, because its members repeat within the cache time.
    const start = (world) => world.service({ RUN: "api", LOOKUP_CACHE_SECONDS: "0" });
    const services = new Map([
      [small, await start(small)],
      [large, await start(large)],
    ]);
    const contestant = (name, [world, next]) => ({ name, process: services.get(world), next: next(world) });
    for (const [what, before, after] of comparisons) {
      const pair = [contestant("before", before), contestant("after", after)];
      const told = (words) => say(`process ${number} of ${processes}, ${what}, ${words}`);
      const measured = await inRounds(pair, { rounds, amount, say: told });
      for (const [name, all] of measured) results.get(what)[name].push(...all);
    }
    for (const service of services.values()) await service.stop();
  }
  return [...results].map(([what, { before, after }]) => ({
    what,
    before: medians(before),
    after: medians(after),
  }));
}
