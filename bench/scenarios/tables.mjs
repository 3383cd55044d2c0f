import { readFileSync } from "node:fs";
import { assertAgreement } from "../lib/agreement.mjs";
import { at } from "../lib/process.mjs";
import { listBatches, listQueries, lists, submitMutations, submits } from "../lib/requests.mjs";
import { compare } from "../lib/rounds.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

/** How to extract the interface's data from a contestant's body. Contestants without `data` return less than that. */
const plain = { data: (body) => body };
const trpc = { data: (body) => body.result.data };
const model = "cardbridge, REST";
const unheldSuffix = ", nothing held";
/** The calls of a batch over tRPC. */
const calls = 10;

/** The list and the submission, compared with the floor and with Fastify. */
export async function run({ rounds, amount, say }) {
  await using world = await createWorld();
  // As in production: a process for calls, and a worker.
  await world.worker();
  // 32 connections with batches of ten are 320 concurrent calls, and one platform gets half of the slots.
  const service = await world.service({ RUN: "api", REQUESTS_AT_ONCE: "2048" });
  const unheld = await world.service({ RUN: "api", LOOKUP_CACHE_SECONDS: "0" });
  const floor = await world.other("floor.mjs");
  const unheldPeer = await world.other("peer/main.mjs", { LOOKUP_CACHE_SECONDS: "0" });
  const peer = { name: "Fastify", process: await world.other("peer/main.mjs"), ...plain };
  const { database } = world;
  const analyze = () => database.query("analyze");
  const measured = async (what, listed, options) => {
    const contestants = listed.map((contestant) => ({ ...contestant, database }));
    await assertAgreement(contestants, model);
    return compare(contestants, { rounds, analyze, say: (words) => say(`${what}, ${words}`), ...options });
  };

  const list = await measured(
    "list",
    [
      { name: "floor", process: floor, next: lists(world), ...plain },
      { name: model, process: service, next: lists(world), ...plain },
      { name: model + unheldSuffix, process: unheld, next: lists(world), ...plain },
      { name: "cardbridge, tRPC", process: service, next: listQueries(world), ...trpc },
      {
        name: `cardbridge, tRPC, in batches of ${calls}`,
        process: service,
        calls,
        next: listBatches(world, calls),
        data: ([first]) => first.result.data,
      },
      { ...peer, next: lists(world) },
      { ...peer, name: `Fastify${unheldSuffix}`, process: unheldPeer, next: lists(world) },
    ],
    { amount },
  );
  const submission = await measured(
    "submission",
    [
      { name: "floor", process: floor, next: submits(world) },
      { name: model, process: service, next: submits(world), ...plain },
      { name: "cardbridge, tRPC", process: service, next: submitMutations(world), ...trpc },
      { ...peer, next: submits(world) },
    ],
    { amount: Math.ceil(amount / 2) },
  );
  return `${rounds} rounds of ${figure(amount)} lists and ${figure(amount / 2)} submissions each, over 32 connections. Fastify's peer: ${versions()}.

A list of 20 cards, of ${world.memberCount} members in turn:

${comparison(list)}

A submission of somebody new:

${comparison(submission)}`;
}

/** The versions of the peer, as they are pinned. */
function versions() {
  const { dependencies } = JSON.parse(readFileSync(at("peer/package.json"), "utf8"));
  const names = ["fastify", "@fastify/rate-limit", "@fastify/under-pressure", "undici", "pg"];
  return names.map((name) => `${name} ${dependencies[name]}`).join(", ");
}

/** The figures of each contestant. Its CPU is compared with that of the peer that keeps as much. */
function comparison(results) {
  const rows = [...results].map(([name, { perSecond, cpu, databaseCpu, wal, p50, p99 }]) => {
    const peer = results.get(name.endsWith(unheldSuffix) ? `Fastify${unheldSuffix}` : "Fastify");
    return [
      name,
      ...[figure(perSecond), figure(cpu), figure(cpu / peer.cpu, 2), figure(databaseCpu)],
      ...[figure(cpu + databaseCpu), figure((cpu + databaseCpu) / (peer.cpu + peer.databaseCpu), 2)],
      ...[figure(wal), figure(p50, 1), figure(p99, 1)],
    ];
  });
  const costs = ["CPU µs", "÷ Fastify", "PostgreSQL µs", "together µs", "÷ Fastify", "WAL bytes"];
  return table(["", "requests/s", ...costs, "p50 ms", "p99 ms"], rows);
}
