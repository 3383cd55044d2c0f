import { once } from "node:events";
import { WebSocket } from "undici";
import { load } from "../lib/load.mjs";
import { memoryOf } from "../lib/process.mjs";
import { lists, submits } from "../lib/requests.mjs";
import { median } from "../lib/rounds.mjs";
import { change, figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

/** Opens the process's inspector, which triggers garbage collection. It costs nothing while no client is connected. */
const inspected = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };
const slices = 20;
/** The maximum growth from the warm first half to the second half. */
const allowed = 0.1;

/** The memory of a process while it serves many requests, nine lists for each submission. */
export async function run({ full, say }) {
  const requests = full ? 1_000_000 : 40_000;
  await using world = await createWorld({ memberCount: 1_000 });
  const service = await world.service(inspected);
  const [list, submit] = [lists(world), submits(world)];
  const held = [];
  for (let number = 1; number <= slices; number += 1) {
    await load(service.url, list, { amount: (requests / slices) * 0.9 });
    await load(service.url, submit, { amount: (requests / slices) * 0.1 });
    held.push({
      requests: (requests / slices) * number,
      memory: memoryOf(service),
      heap: await liveHeapOf(service),
    });
    say(`${figure((requests / slices) * number)} requests, ${figure(held.at(-1).memory)} MB`);
  }
  const half = slices / 2;
  // The first slices warm up: code is compiled, and pools and caches fill.
  const [early, late] = [held.slice(half / 2, half), held.slice(-half / 2)].map(middle);
  const holds = late.memory <= early.memory * (1 + allowed) && late.heap <= early.heap * (1 + allowed);
  const shown = held.filter((_, index) => index % 4 === 3);
  return `${figure(requests)} requests to one process, nine lists of 1,000 members to each submission, over 32 connections.

${table(
  ["requests", "resident MB", "live heap MB"],
  shown.map(({ requests, memory, heap }) => [figure(requests), figure(memory), figure(heap, 1)]),
)}

From the second quarter to the last, by medians: resident ${change(early.memory, late.memory)}, live heap ${change(early.heap, late.heap)}. No leak: ${holds ? "yes" : "no"}.`;
}

const middle = (all) => ({
  memory: median(all.map(({ memory }) => memory)),
  heap: median(all.map(({ heap }) => heap)),
});

/** The live heap of a process after a garbage collection, in megabytes. */
async function liveHeapOf({ output }) {
  const [url] = /ws:\/\/\S+/.exec(output());
  const socket = new WebSocket(url);
  await once(socket, "open");
  const ask = async (id, method) => {
    socket.send(JSON.stringify({ id, method }));
    const [{ data }] = await once(socket, "message");
    return JSON.parse(data).result;
  };
  await ask(1, "HeapProfiler.collectGarbage");
  const { usedSize } = await ask(2, "Runtime.getHeapUsage");
  socket.close();
  return usedSize / 2 ** 20;
}
