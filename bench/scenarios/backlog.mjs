import { setTimeout as wait } from "node:timers/promises";
import { load } from "../lib/load.mjs";
import { cpuOf, memoryOf } from "../lib/process.mjs";
import { submits } from "../lib/requests.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

/** The maximum deviation of a span's rate from the median. */
const allowed = 0.5;

/**
 * The last records are those for which the provider returned 503. Their outcome is unknown, so they are queried twice,
 * with a wait, before they are sent again. They do not count for the rate.
 */
const tail = 0.05;

/** Submissions that are accepted while the provider is down, and one worker that resolves them afterwards. */
export async function run({ full, say }) {
  const records = full ? 100_000 : 4_000;
  // A checkpoint of the database takes a second or two, which is not the worker's work.
  const span = full ? 5 : 1;
  await using world = await createWorld();
  const { query } = world.database;
  const unresolved = async () =>
    Number((await query("select count(*) from kyc_records where resolution = 'unresolved'"))[0].count);
  await fetch(`${world.provider.url}/_out`, { method: "PUT", body: "true" });
  const api = await world.service({ RUN: "api" });
  for (let done = 0; done < records; done += records / 10) {
    await load(api.url, submits(world), { amount: records / 10, expected: 202 });
    say(`${figure(await unresolved())} records wait`);
  }
  await api.stop();
  await fetch(`${world.provider.url}/_out`, { method: "PUT", body: "false" });
  // All records are due at once: the worst backlog that an outage can leave.
  await query("update kyc_records set due_at = now(), lease_until = null where resolution = 'unresolved'");

  const worker = await world.service({ RUN: "worker" });
  const begun = performance.now();
  const before = { cpu: cpuOf(worker), memory: memoryOf(worker) };
  const samples = [{ seconds: 0, left: await unresolved() }];
  let most = before.memory;
  while (samples.at(-1).left > 0) {
    await wait(span * 1_000);
    samples.push({ seconds: (performance.now() - begun) / 1_000, left: await unresolved() });
    most = Math.max(most, memoryOf(worker));
    say(`${figure(samples.at(-1).left)} records wait`);
  }
  const cpu = (cpuOf(worker) - before.cpu) / samples[0].left;
  const { seconds } = samples.at(-1);
  const rates = ratesOf(samples.filter(({ left }) => left >= records * tail));
  const [least, middle, greatest] = [rates[0], rates[Math.floor(rates.length / 2)], rates.at(-1)];
  const steady = least >= middle * (1 - allowed) && greatest <= middle * (1 + allowed);
  return `${figure(records)} submissions accepted with 202 while the provider was down; then one process with \`RUN=worker\`.

${table(
  ["", ""],
  [
    [
      `resolved in, s: all but ${tail * 100} %`,
      figure(samples.find(({ left }) => left < records * tail).seconds),
    ],
    ["resolved in, s: all", figure(seconds)],
    ["records/s, median", figure(middle)],
    [`records/s, slowest and fastest ${span} s`, `${figure(least)}, ${figure(greatest)}`],
    ["CPU µs a record", figure(cpu)],
    ["resident MB before, most", `${figure(before.memory)}, ${figure(most)}`],
  ],
)}

All resolved, at a steady rate: ${steady ? "yes" : "no"}.`;
}

/** Records resolved per second, in ascending order. */
function ratesOf(samples) {
  const rates = samples.slice(1).map(({ seconds, left }, index) => {
    const before = samples[index];
    return (before.left - left) / (seconds - before.seconds);
  });
  return rates.sort((a, b) => a - b);
}
