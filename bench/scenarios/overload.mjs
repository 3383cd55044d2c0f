import { setTimeout as wait } from "node:timers/promises";
import { Agent } from "undici";
import { connect, countOf, exchange, openLoad, quantile } from "../lib/load.mjs";
import { cpuOf, memoryOf } from "../lib/process.mjs";
import { lists, submits } from "../lib/requests.mjs";
import { round } from "../lib/rounds.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

const times = 3;
/** 202: a submission without a slot for the provider is stored. */
const accepted = [200, 202];
const refusals = [429, 503];
/** The number of connections that a proxy keeps. */
const connections = 2_000;

/** Three times the service's capacity: completed requests, rejected requests, and the recovery afterwards. */
export async function run({ full, say }) {
  const rows = [];
  for (const [name, requests, amount] of [
    ["list", lists, 6_000],
    ["submission", submits, 2_500],
  ]) {
    await using world = await createWorld();
    const service = await world.service();
    const analyze = () => world.database.query("analyze");
    const options = { amount, seconds: full ? 30 : 8, analyze, say };
    rows.push([name, await overloaded(service, requests(world), options)]);
  }
  const verdicts = rows.map(([name, { best, offered, done, refused, memory, recovery, others }]) => {
    const holds =
      done.perSecond >= best.perSecond * 0.9 &&
      others.length === 0 &&
      refused.p99 < 1_000 &&
      memory.most < memory.before * 1.5 &&
      recovery < 1_000;
    const rest = others.map(([status, count]) => `${count} × ${status}`).join(", ") || "none";
    return `Of ${figure(offered)} ${name}s a second: ${figure(done.share * 100)} % done, ${figure(refused.share * 100)} % refused; neither: ${rest}. Held: ${holds ? "yes" : "no"}.`;
  });
  return `${table(["", ...rows.map(([name]) => name)], lines(rows.map(([, result]) => result)))}

${verdicts.join("\n\n")}`;
}

function lines(results) {
  const line = (words, of) => [words, ...results.map(of)];
  return [
    line("best, requests/s", ({ best }) => figure(best.perSecond)),
    line("offered, requests/s", ({ offered }) => figure(offered)),
    line("done, requests/s", ({ done }) => figure(done.perSecond)),
    line("done of the best", ({ best, done }) => `${figure((done.perSecond / best.perSecond) * 100)} %`),
    line("at the best: p50, p99 ms", ({ best }) => `${figure(best.p50)}, ${figure(best.p99)}`),
    line("what was done: p50, p99 ms", ({ done }) => `${figure(done.p50)}, ${figure(done.p99)}`),
    line("what was refused: p50, p99 ms", ({ refused }) => `${figure(refused.p50)}, ${figure(refused.p99)}`),
    line("CPU µs a request at the best", ({ best }) => figure(best.cpu)),
    line("CPU µs a refusal, by what is left over", ({ refused }) => figure(refused.cpu)),
    line("resident MB before, most, after", ({ memory: { before, most, after } }) =>
      [before, most, after].map((each) => figure(each)).join(", "),
    ),
    line("itself again after, ms", ({ recovery }) => figure(recovery)),
  ];
}

async function overloaded(service, next, { amount, seconds, analyze, say }) {
  await round({ process: service, next }, amount);
  // Otherwise PostgreSQL keeps the plans that it made while the tables were empty.
  await analyze();
  const best = await round({ process: service, next }, amount);
  const offered = times * best.perSecond;
  const clients = await connect(service.url, connections);
  const before = memoryOf(service);
  const cpuBefore = cpuOf(service);
  say(`best ${figure(best.perSecond)} a second; now ${figure(offered)} for ${seconds} s`);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(service));
  }, 100);
  const { answers, elapsed, rest } = await openLoad(clients, next, { perSecond: offered, seconds });
  const inTime = answers.filter(({ status }) => accepted.includes(status)).length;
  const recovery = await recovered(service.url, next, 3 * best.p99);
  await rest;
  clearInterval(watch);
  const cpu = cpuOf(service) - cpuBefore;
  const done = summary(answers, accepted);
  const refused = summary(answers, refusals);
  const counts = countOf(answers);
  return {
    best,
    offered,
    done: { ...done, perSecond: inTime / elapsed },
    refused: { ...refused, cpu: refused.count === 0 ? 0 : (cpu - done.count * best.cpu) / refused.count },
    others: [...counts].filter(([status]) => ![...accepted, ...refusals].includes(status)),
    memory: { before, most, after: memoryOf(service) },
    recovery,
  };
}

function summary(answers, statuses) {
  const of = answers.filter(({ status }) => statuses.includes(status));
  const millis = Float64Array.from(of, (answer) => answer.millis).sort();
  const share = of.length / answers.length;
  return { count: of.length, share, p50: quantile(millis, 0.5) ?? 0, p99: quantile(millis, 0.99) ?? 0 };
}

/** Milliseconds until five consecutive requests return 200 as fast as before the overload. */
async function recovered(url, next, quickMs) {
  const agent = new Agent({ connections: 1 });
  const start = performance.now();
  let well = 0;
  let since = 0;
  while (well < 5 && performance.now() - start < 60_000) {
    const begun = performance.now() - start;
    const { status, millis } = await exchange(agent, { ...next(), origin: url });
    const isWell = status === 200 && millis <= quickMs;
    if (isWell && well === 0) since = begun;
    well = isWell ? well + 1 : 0;
    await wait(10);
  }
  await agent.destroy();
  return since;
}
