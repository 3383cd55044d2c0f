import { setTimeout as wait } from "node:timers/promises";
import { isProxyApart } from "../lib/cores.mjs";
import { startHaproxy } from "../lib/haproxy.mjs";
import { connect, connection, countOf, exchange, openLoad, quantile } from "../lib/load.mjs";
import { memoryOf } from "../lib/process.mjs";
import { inTurn, lists, submits } from "../lib/requests.mjs";
import { round } from "../lib/rounds.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

/** On fewer than four cores the load takes time from a proxy, the database and the provider. */
const times = isProxyApart ? 3 : 1.5;
/** 202: a submission without a slot for the provider is stored. */
const accepted = [200, 202];
const refusals = [429, 503];
/** The number of connections that a proxy keeps. */
const connections = 2_000;
const platforms = 32;
/** A server without a limit completes calls too, but late: its queue grows with the number of connections. */
const promptMs = 1_000;

/** More than the capacity, from the keys of 32 platforms: completed and refused calls, and the recovery afterwards. */
export async function run({ full, say }) {
  await using world = await createWorld({ platforms });
  const [service, behind] = [await world.service(), await world.service()];
  await using proxy = await startHaproxy(behind);
  const contestants = [
    { name: "cardbridge", process: service },
    { name: "Fastify", process: await world.other("peer/main.mjs", { MAX_DELAY_MS: "50" }) },
    ...(proxy ? [{ name: "cardbridge behind HAProxy", process: { ...behind, url: proxy.url } }] : []),
  ];
  const rows = [];
  for (const [kind, requests, amount] of [
    ["list", lists, 6_000],
    ["submission", submits, 2_500],
  ])
    for (const { name, process } of contestants) {
      const next = inTurn(world.callers.map((caller) => requests(caller)));
      const words = (text) => say(`${kind}, ${name}: ${text}`);
      const analyze = () => world.database.query("analyze");
      const result = await overload(
        { process, next, refusals },
        { amount, seconds: full ? 30 : 8, analyze, say: words },
      );
      rows.push([`${kind}, ${name}`, ...cellsOf(result)]);
    }
  return `${times} times the best rate, from ${platforms} keys over ${connections} connections.${isProxyApart ? "" : " With fewer than four cores only the ratio counts."}${proxy ? "" : " Behind HAProxy: not run: no haproxy."}

${table(head, rows)}`;
}

const head = [
  "",
  "best/s",
  "done/s",
  "done of the best",
  "within 1 s",
  "done: p50, p99 ms",
  "refused: p50, p99 ms",
  "neither",
  "MB before, most",
  "itself again after ms",
  "sent late, p99 ms",
];

function cellsOf({ best, done, refused, others, memory, recovery, lag }) {
  return [
    figure(best.perSecond),
    figure(done.perSecond),
    `${figure((done.perSecond / best.perSecond) * 100)} %`,
    `${figure((done.promptPerSecond / best.perSecond) * 100)} %`,
    `${figure(done.p50)}, ${figure(done.p99)}`,
    `${figure(refused.p50)}, ${figure(refused.p99)}`,
    others.map(([status, count]) => `${count} × ${status}`).join(", "),
    memory.map((each) => figure(each)).join(", "),
    figure(recovery),
    figure(lag),
  ];
}

async function overload(contestant, { amount, seconds, analyze, say }) {
  await round(contestant, amount);
  // Otherwise PostgreSQL keeps the plans that it made while the tables were empty.
  await analyze();
  const best = await round(contestant, amount);
  const { process, next } = contestant;
  const clients = await connect(process.url, connections);
  const perSecond = times * best.perSecond;
  say(`best ${figure(best.perSecond)} a second; now ${figure(perSecond)} for ${seconds} s`);
  const memory = [memoryOf(process), 0];
  const watch = setInterval(() => {
    memory[1] = Math.max(memory[1], memoryOf(process));
  }, 100);
  const { answers, elapsed, lags, rest } = await openLoad(clients, next, { perSecond, seconds });
  const inTime = answers.filter(({ status }) => accepted.includes(status));
  const prompt = inTime.filter(({ millis }) => millis <= promptMs);
  const recovery = await recovered(process.url, next, 3 * best.p99);
  await rest;
  clearInterval(watch);
  const others = [...countOf(answers)].filter(([status]) => ![...accepted, ...refusals].includes(status));
  const [perSecondDone, promptPerSecond] = [inTime.length / elapsed, prompt.length / elapsed];
  const done = { ...summary(answers, accepted), perSecond: perSecondDone, promptPerSecond };
  const refused = summary(answers, refusals);
  return { best, done, refused, others, memory, recovery, lag: quantile(lags, 0.99) };
}

function summary(answers, statuses) {
  const of = answers.filter(({ status }) => statuses.includes(status));
  const millis = Float64Array.from(of, (answer) => answer.millis).sort();
  return { p50: quantile(millis, 0.5) ?? 0, p99: quantile(millis, 0.99) ?? 0 };
}

/** Milliseconds until five consecutive requests return 200 as fast as before the overload. */
async function recovered(url, next, quickMs) {
  const client = connection(url);
  const start = performance.now();
  let well = 0;
  let since = 0;
  while (well < 5 && performance.now() - start < 60_000) {
    const begun = performance.now() - start;
    const { status, millis } = await exchange(client, next());
    const isWell = status === 200 && millis <= quickMs;
    if (isWell && well === 0) since = begun;
    well = isWell ? well + 1 : 0;
    await wait(10);
  }
  await client.destroy();
  return since;
}
