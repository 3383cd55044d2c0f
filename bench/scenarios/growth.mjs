import { addRecords } from "../lib/records.mjs";
import { lists, submits } from "../lib/requests.mjs";
import { compare } from "../lib/rounds.mjs";
import { change, figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

const few = 1_000;
/** The stub provider has a hundred pages for everybody. */
const lastPage = 100;
const allowed = 0.1;

/** The same requests with few users and with many, and for the first page of a list and the last, in alternating rounds. */
export async function run({ full, rounds, amount, say }) {
  const many = full ? 1_000_000 : 20_000;
  // A hundredth of a small round is a few requests: too few for a p99 that is to stand still.
  const size = full ? 3 * amount : amount;
  const worlds = [];
  try {
    for (const memberCount of [few, many]) {
      const world = await createWorld({ memberCount });
      worlds.push(world);
      await addRecords(world.database, world.platformId);
      say(`${figure(memberCount)} users are there`);
    }
    const [small, large] = await Promise.all(
      // What is held for a second would make the few cheaper, whose turn comes again within it.
      worlds.map(async (world) => ({
        world,
        process: await world.service({ RUN: "api", LOOK_UPS_HELD_SECONDS: "0" }),
      })),
    );
    const pair = async (what, [before, after], amount) => {
      const contestants = [
        { name: "before", ...before },
        { name: "after", ...after },
      ];
      const results = await compare(contestants, {
        rounds,
        amount,
        say: (words) => say(`${what}, ${words}`),
      });
      return { what, before: results.get("before"), after: results.get("after") };
    };
    const of = ({ world, process }, requests) => ({ process, next: requests(world) });
    const users = `${figure(few)} to ${figure(many)} users`;
    const pairs = [
      await pair(`list, ${users}`, [of(small, lists), of(large, lists)], size),
      await pair(`submission, ${users}`, [of(small, submits), of(large, submits)], Math.ceil(size / 2)),
      await pair(
        `list, page 1 to ${lastPage}`,
        [of(large, lists), of(large, (world) => lists(world, lastPage))],
        size,
      ),
    ];
    return {
      text: `${rounds} rounds over 32 connections; every user has a record and its history; nothing held; the members asked for come from all over the table.

${table(["", "CPU µs", "", "p99 ms", ""], pairs.map(row))}

${pairs.map(verdict).join(" ")}`,
    };
  } finally {
    for (const world of worlds) await world.stop();
  }
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
