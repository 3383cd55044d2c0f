import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "../lib/load.mjs";
import { cpuOf } from "../lib/process.mjs";
import { figure, table } from "../lib/table.mjs";
import { createEndpoints, startDeadReceiver, startReceiver, writeEvents } from "../lib/webhooks.mjs";
import { createWorld } from "../lib/world.mjs";

const dead = 1_000;
const perSecond = 50;

/** One worker delivers to ten endpoints: at full speed, then at a constant rate, alone and beside dead endpoints. */
export async function run({ full, say }) {
  const amount = full ? 20_000 : 4_000;
  const seconds = full ? 60 : 15;
  using receiver = await startReceiver();
  using silent = await startDeadReceiver();
  await using world = await createWorld();
  const scopes = "webhooks:read,webhooks:write";
  const key = await world.cli(["keys", "create", "--internal", "--name", "bench", "--scopes", scopes]);
  // In development, endpoints may be on this machine.
  const api = await world.service({ RUN: "api", NODE_ENV: "development" });
  const shared = { world, api, key };
  const prompt = await createEndpoints({ ...shared, name: "prompt", url: receiver.url, count: 10 });
  const hanging = await createEndpoints({ ...shared, name: "dead", url: silent.url, count: dead });
  const worker = await world.service({ RUN: "worker", NODE_ENV: "development" });
  const deliver = deliveries(world.database, receiver.came);
  await deliver.together(prompt, amount / 4);

  say(`${figure(amount)} deliveries at once`);
  const before = cpuOf(worker);
  const most = await deliver.together(prompt, amount);
  const micros = (cpuOf(worker) - before) / amount;

  await deliver.steady(prompt, 5);
  say(`${perSecond} a second, alone`);
  const alone = await deliver.steady(prompt, seconds);
  say(`the same beside ${figure(dead)} dead endpoints`);
  await writeEvents(world.database, eventsOf(hanging, 3 * dead, "dead"));
  await wait(2_000);
  const beside = await deliver.steady(prompt, seconds);
  return textOf({ amount, most, micros, alone, beside });
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
    /** Delivers all events at once. Returns the deliveries per second. */
    async together(endpoints, count) {
      const events = eventsOf(endpoints, count, "many");
      const writtenAt = await writeEvents(database, events);
      await arrived(events.map(({ id }) => id));
      const last = Math.max(...events.map(({ id }) => came.get(id)));
      return count / ((last - writtenAt) / 1_000);
    },
    /** Delivers at a constant rate. Returns the milliseconds from an event's commit to its arrival. */
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

function textOf({ amount, most, micros, alone, beside }) {
  return `${figure(amount)} deliveries due at once, to ten endpoints of one receiver; then ${perSecond} a second.

${table(
  ["", "one worker"],
  [
    ["deliveries/s", figure(most)],
    ["CPU µs a delivery", figure(micros)],
  ],
)}

${table(
  ["from the commit to the receiver, ms", "p50", "p99"],
  [
    ["alone", figure(alone.p50), figure(alone.p99)],
    [`beside ${figure(dead)} endpoints that never answer`, figure(beside.p50), figure(beside.p99)],
  ],
)}

The p99 beside endpoints that never respond is ${figure(beside.p99 / alone.p99, 2)} times that alone.`;
}
