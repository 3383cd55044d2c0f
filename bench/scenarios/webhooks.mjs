import { execFile } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { quantile } from "../lib/load.mjs";
import { at, cpuOf } from "../lib/process.mjs";
import { figure, table } from "../lib/table.mjs";
import { createEndpoints, startDeadReceiver, startReceiver, writeEvents } from "../lib/webhooks.mjs";
import { createWorld } from "../lib/world.mjs";

const dead = 1_000;
const perSecond = 50;

/** One worker that delivers to ten endpoints: as fast as it can, and by the clock, alone and beside dead endpoints. */
export async function run({ full, say }) {
  const amount = full ? 20_000 : 4_000;
  const seconds = full ? 60 : 15;
  const receiver = await startReceiver();
  const silent = await startDeadReceiver();
  const world = await createWorld();
  try {
    const scopes = "webhooks:read,webhooks:write";
    const key = await world.cli(["keys", "create", "--internal", "--name", "bench", "--scopes", scopes]);
    // In development, endpoints may be on this machine.
    const api = await world.service({ RUN: "api", NODE_ENV: "development" });
    const shared = { world, api, key };
    const prompt = await createEndpoints({ ...shared, name: "prompt", url: receiver.url, count: 10 });
    const hanging = await createEndpoints({ ...shared, name: "dead", url: silent.url, count: dead });
    const worker = await world.service({ RUN: "worker", NODE_ENV: "development" });
    const deliver = deliveries(world.database, receiver.came);
    // The first success of an endpoint shows that it keeps up.
    await deliver.together(prompt, 10);
    await deliver.together(prompt, amount / 4);

    say(`${figure(amount)} deliveries at once`);
    const before = cpuOf(worker);
    const most = await deliver.together(prompt, amount);
    const micros = (cpuOf(worker) - before) / amount;
    const bare = await bareOf(receiver.url, amount);

    await deliver.steady(prompt, 5);
    say(`${perSecond} a second, alone`);
    const alone = await deliver.steady(prompt, seconds);
    say(`the same beside ${figure(dead)} dead endpoints`);
    await writeEvents(world.database, eventsOf(hanging, 3 * dead, "dead"));
    await wait(2_000);
    const beside = await deliver.steady(prompt, seconds);
    return { text: textOf({ amount, most, micros, bare, alone, beside }) };
  } finally {
    await world.stop();
    receiver.stop();
    silent.stop();
  }
}

let batch = 0;
function eventsOf(endpoints, count, name) {
  batch += 1;
  return Array.from({ length: count }, (_, index) => {
    const { platformId: platform, endpointId: endpoint } = endpoints[index % endpoints.length];
    return { id: `msg_${name}_${batch}_${index}`, platform, endpoint };
  });
}

function deliveries(database, came) {
  async function arrived(ids) {
    while (!ids.every((id) => came.has(id))) await wait(20);
  }
  return {
    /** All at once; returns the deliveries a second. */
    async together(endpoints, count) {
      const events = eventsOf(endpoints, count, "many");
      const writtenAt = await writeEvents(database, events);
      await arrived(events.map(({ id }) => id));
      const last = Math.max(...events.map(({ id }) => came.get(id)));
      return count / ((last - writtenAt) / 1_000);
    },
    /** By the clock; returns how long an event takes from its commit, in milliseconds. */
    async steady(endpoints, seconds) {
      const events = eventsOf(endpoints, perSecond * seconds, "steady");
      const written = new Map();
      const start = performance.now();
      for (const [number, event] of events.entries()) {
        await wait(Math.max(0, start + (number * 1_000) / perSecond - performance.now()));
        written.set(event.id, await writeEvents(database, [event]));
      }
      await arrived(events.map(({ id }) => id));
      const millis = [...written].map(([id, writtenAt]) => Math.max(came.get(id) - writtenAt, 0));
      millis.sort((a, b) => a - b);
      return { p50: quantile(millis, 0.5), p99: quantile(millis, 0.99) };
    },
  };
}

async function bareOf(url, amount) {
  const { stdout } = await promisify(execFile)(process.execPath, [at("contestants/bare-webhooks.mjs")], {
    env: { PATH: process.env.PATH, URL: url, AMOUNT: String(amount) },
  });
  const { micros, seconds } = JSON.parse(stdout);
  return { micros: micros / amount, perSecond: amount / seconds };
}

function textOf({ amount, most, micros, bare, alone, beside }) {
  return `${figure(amount)} deliveries due at once, to ten endpoints of one receiver; then ${perSecond} a second.

${table(
  ["", "one worker", "a bare POST that signs"],
  [
    ["deliveries/s", figure(most), figure(bare.perSecond)],
    ["CPU µs a delivery", figure(micros), figure(bare.micros)],
  ],
)}

${table(
  ["from the commit to the receiver, ms", "p50", "p99"],
  [
    ["alone", figure(alone.p50), figure(alone.p99)],
    [`beside ${figure(dead)} endpoints that never answer`, figure(beside.p50), figure(beside.p99)],
  ],
)}

The p99 beside the dead ones is ${figure(beside.p99 / alone.p99, 2)} times that alone.`;
}
