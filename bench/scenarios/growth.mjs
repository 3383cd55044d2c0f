import { addRecords } from "../lib/records.mjs";
import { lists, submits } from "../lib/requests.mjs";
import { inRounds, medians } from "../lib/rounds.mjs";
import { change, figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

const few = 1_000;
/** The stub provider has a hundred pages for every user. */
const lastPage = 100;
const allowed = 0.1;
/** Two processes of the same program differ by several percent for their whole life, so each size runs several. */
const processes = 3;

const lastPages = (world) => lists(world, lastPage);

/** The same requests with few and many users, and for the first and last page of a list, in alternating rounds. */
export async function run({ full, rounds, amount, say }) {
  const many = full ? 1_000_000 : 20_000;
  // A hundredth of a small round is only a few requests: too few for a stable p99.
  const size = full ? 3 * amount : amount;
  const each = Math.ceil(rounds / 2);
  await using running = new AsyncDisposableStack();
  const worlds = [];
  for (const memberCount of [few, many]) {
    const world = running.use(await createWorld({ memberCount }));
    worlds.push(world);
    await addRecords(world.database, world.platformId);
    say(`${figure(memberCount)} users created`);
  }
  const users = `${figure(few)} to ${figure(many)} users`;
  const measured = new Map();
  for (let number = 1; number <= processes; number += 1) {
    // A lookup cache would make the small world cheaper, because its members repeat within the cache time.
    const started = worlds.map((world) => world.service({ RUN: "api", LOOKUP_CACHE_SECONDS: "0" }));
    const services = await Promise.all(started);
    const [small, large] = services.map((process, index) => (requests) => ({
      process,
      next: requests(worlds[index]),
    }));
    for (const [what, amount, before, after] of [
      [`list, ${users}`, size, small(lists), large(lists)],
      [`submission, ${users}`, Math.ceil(size / 2), small(submits), large(submits)],
      [`list, page 1 to ${lastPage}`, size, large(lists), large(lastPages)],
    ]) {
      const pair = [
        { name: "before", ...before },
        { name: "after", ...after },
      ];
      const told = (words) => say(`process ${number} of ${processes}, ${what}, ${words}`);
      const results = await inRounds(pair, { rounds: each, amount, say: told });
      const all = measured.get(what) ?? { before: [], after: [] };
      for (const name of ["before", "after"]) all[name].push(...results.get(name));
      measured.set(what, all);
    }
    for (const service of services) await service.stop();
  }
  const results = [...measured].map(([what, { before, after }]) => ({
    what,
    before: medians(before),
    after: medians(after),
  }));
  return `${each} rounds with each of ${processes} processes, over 32 connections; every user has a record and its history; nothing held; the members asked for come from all over the table.

${table(["", "CPU µs", "", "p99 ms", ""], results.map(row))}

${results.map(verdict).join(" ")}`;
}

function row({ what, before, after }) {
  return [
    what,
    `${figure(before.cpu)} → ${figure(after.cpu)}`,
    change(before.cpu, after.cpu),
    `${figure(before.p99, 1)} → ${figure(after.p99, 1)}`,
    change(before.p99, after.p99),
  ];
}

function verdict({ what, before, after }) {
  const flat = (name) => after[name] <= before[name] * (1 + allowed);
  return `Flat, ${what}: CPU ${flat("cpu") ? "yes" : "no"}, p99 ${flat("p99") ? "yes" : "no"}.`;
}
