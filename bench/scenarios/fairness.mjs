import { setTimeout as wait } from "node:timers/promises";
import { Client, request } from "undici";
import { connect, countOf, exchange, openLoad, quantile } from "../lib/load.mjs";
import { lists, submits } from "../lib/requests.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

const perSecond = 100;
const slowMs = 3_000;
/** Ten times one platform's fair limit of the provider's connections, and of the active requests. */
const callers = [320, 2_560];

/** Platform Two at its usual rate: alone, and beside platform One at ten times its fair limit. */
export async function run({ full, say }) {
  const seconds = full ? 30 : 8;
  await using world = await createWorld();
  const one = await world.addPlatform("One");
  const service = await world.service();
  const measure = () => steady(service.url, lists(world), seconds);
  await measure();
  const quiet = await measure();
  const rows = [["alone", quiet, []]];
  for (const count of callers) {
    say(`${count} submissions of One at once, to a provider that takes ${slowMs} ms`);
    await delay(world, slowMs);
    const load = flood(service.url, submits(one), count);
    await wait(slowMs + 1_000);
    rows.push([`beside ${count} submissions of One`, await measure(), load.answers]);
    await delay(world, 0);
    await load.stop();
  }
  return textOf(rows);
}

const delay = ({ provider }, millis) =>
  request(`${provider.url}/_delay`, { method: "PUT", body: String(millis) });

/** Requests at a constant rate, over connections that are opened beforehand. */
async function steady(url, next, seconds) {
  const { answers, rest } = await openLoad(await connect(url, 50), next, { perSecond, seconds });
  await rest;
  const millis = answers.map((answer) => answer.millis).sort((a, b) => a - b);
  return { counts: countOf(answers), p50: quantile(millis, 0.5), p99: quantile(millis, 0.99) };
}

/** Runs `count` callers that send again after each response, and wait a second after a rejection (Retry-After). */
function flood(url, next, count) {
  const answers = [];
  let stopped = false;
  const clients = Array.from(
    { length: count },
    () => new Client(url, { pipelining: 1, headersTimeout: 60_000 }),
  );
  const working = clients.map(async (client, index) => {
    // The callers start at different times: in step they would send bursts with pauses in between.
    await wait((index * slowMs) / count);
    while (!stopped) {
      const answer = await exchange(client, next());
      answers.push(answer);
      if (answer.status !== 200 && answer.status !== 202) await wait(1_000);
    }
    await client.destroy();
  });
  return {
    answers,
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
  };
}

const textOfCounts = (counts) => [...counts].map(([status, count]) => `${count} × ${status}`).join(", ");

function textOf(rows) {
  const lines = rows.map(([name, two, one]) => [
    name,
    `${figure(two.p50)}, ${figure(two.p99)}`,
    textOfCounts(two.counts),
    textOfCounts(countOf(one)),
  ]);
  return table(["Two", "p50, p99 ms", "Two's answers", "One's answers"], lines);
}
