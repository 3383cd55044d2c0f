import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { request } from "undici";
import { connect, countOf, openLoad, quantile } from "../lib/load.mjs";
import { lists } from "../lib/requests.mjs";
import { medians } from "../lib/rounds.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

/** 3,000 lists in 30 s: 30 of them are slower than the p99. */
const perSecond = 100;
const slowMs = 3_000;
/** Ten times one platform's fair limit of the provider's connections, and of the active requests. */
const callers = [0, 320, 2_560];
const rounds = 3;

/** Platform Two at its usual rate: alone, and beside platform One at ten times its fair limit, in alternation. */
export async function run({ full, say }) {
  const seconds = full ? 60 : 30;
  await using world = await createWorld();
  const one = await world.addPlatform("One");
  const service = await world.service();
  const results = new Map(callers.map((count) => [count, []]));
  await steady(service.url, lists(world), 5);
  for (let number = 1; number <= rounds; number += 1) {
    for (const [count, all] of results) {
      say(
        `round ${number} of ${rounds}: ${count} submissions of One at once, to a provider that takes ${slowMs} ms`,
      );
      await delay(world, slowMs);
      const flood = startFlood({ url: service.url, key: one.key, count, overMs: slowMs });
      await wait(slowMs + 1_000);
      const two = await steady(service.url, lists(world), seconds);
      await delay(world, 0);
      all.push({ two, one: await flood.stop() });
    }
  }
  return textOf(results);
}

const delay = ({ provider }, millis) =>
  request(`${provider.url}/_delay`, { method: "PUT", body: String(millis) });

/** Requests at a constant rate, over connections that are opened beforehand. */
async function steady(url, next, seconds) {
  const { answers, lags, rest } = await openLoad(await connect(url, 50), next, { perSecond, seconds });
  await rest;
  const millis = answers.map((answer) => answer.millis).sort((a, b) => a - b);
  const times = { p50: quantile(millis, 0.5), p99: quantile(millis, 0.99), lag: quantile(lags, 0.99) };
  return { times, counts: countOf(answers) };
}

function startFlood(workerData) {
  const thread = new Worker(new URL("../lib/flood.mjs", import.meta.url), { workerData });
  return {
    async stop() {
      thread.postMessage("stop");
      const [counts] = await once(thread, "message");
      await thread.terminate();
      return counts;
    },
  };
}

const textOfCounts = (counts) => [...counts].map(([status, count]) => `${count} × ${status}`).join(", ");

/** The medians of the times, and the answers of the last round. */
function textOf(results) {
  const lines = [...results].map(([count, all]) => {
    const { p50, p99, lag } = medians(all.map(({ two }) => two.times));
    const { two, one } = all.at(-1);
    const name = count === 0 ? "alone" : `beside ${figure(count)} submissions of One`;
    return [
      name,
      figure(p50, 1),
      figure(p99, 1),
      figure(lag, 1),
      textOfCounts(two.counts),
      textOfCounts(one),
    ];
  });
  return table(["Two", "p50 ms", "p99 ms", "sent late, p99 ms", "Two's answers", "One's answers"], lines);
}
