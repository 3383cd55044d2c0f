import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { connection, countOf, exchange } from "./load.mjs";
import { submits } from "./requests.mjs";

/*
 * A thread of its own, so that the flood delays no answer of the one who is measured: `count` callers that send again after
 * each response, and wait a second after a rejection (Retry-After). A message stops them, and gets the counts of the answers.
 */
const { url, key, count, overMs } = workerData;
const next = submits({ key });
const answers = [];
let stopped = false;
const working = Array.from({ length: count }, async (_, index) => {
  const client = connection(url, { headersTimeout: 60_000 });
  // The callers start at different times: in step they would send bursts with pauses in between.
  await wait((index * overMs) / count);
  while (!stopped) {
    const answer = await exchange(client, next());
    answers.push(answer);
    if (answer.status !== 200 && answer.status !== 202) await wait(1_000);
  }
  await client.destroy();
});
parentPort.once("message", async () => {
  stopped = true;
  await Promise.all(working);
  parentPort.postMessage(countOf(answers));
});
