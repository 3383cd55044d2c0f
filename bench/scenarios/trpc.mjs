import { assertAgreement } from "../lib/agreement.mjs";
import { listBatches, listQueries, lists } from "../lib/requests.mjs";
import { compare } from "../lib/rounds.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

const rest = "REST";
const calls = 10;

/** The cost of the same list over REST, over tRPC, and over tRPC in batches. */
export async function run({ rounds, amount, say }) {
  await using world = await createWorld();
  // 32 connections with batches of ten are 320 concurrent calls, and one platform gets half of the slots.
  const process = await world.service({ REQUESTS_AT_ONCE: "2048" });
  const contestants = [
    { name: rest, process, next: lists(world), data: (body) => body },
    { name: "tRPC", process, next: listQueries(world), data: (body) => body.result.data },
    {
      name: `tRPC, in batches of ${calls}`,
      process,
      calls,
      next: listBatches(world, calls),
      data: ([first]) => first.result.data,
    },
  ];
  await assertAgreement(contestants, rest);
  const results = await compare(contestants, { rounds, amount, say });
  const base = results.get(rest).cpu;
  const rows = [...results].map(([name, { perSecond, cpu, p50, p99 }]) => [
    name,
    ...[figure(perSecond), figure(cpu), figure(cpu / base, 2), figure(p50, 1), figure(p99, 1)],
  ]);
  return `${rounds} rounds of ${figure(amount)} lists each, over 32 connections; times are those of a request.

${table(["a list of 20 cards over", "lists/s", "CPU µs a list", "÷ REST", "p50 ms", "p99 ms"], rows)}`;
}
