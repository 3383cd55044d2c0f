import { setTimeout as wait } from "node:timers/promises";
import { Agent } from "undici";
import { exchange } from "./exchange.mjs";

const tickMs = 5;
/** So long a caller waits, in milliseconds, before they give up. */
const patienceMs = 10_000;

/**
 * Sends so many requests a second for so long, whatever becomes of them: callers who do not wait for each other. Beyond
 * `connections` there are none to be had; those callers are counted as `no connection`.
 *
 * @returns what was answered: a list of `{ status, millis, at }`, `at` in milliseconds since the first request
 */
export async function openLoad(url, next, { perSecond, seconds, connections = 2_000 }) {
  const agent = new Agent({
    connections,
    pipelining: 1,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  });
  const answers = [];
  const pending = new Set();
  const start = performance.now();
  const total = Math.round(perSecond * seconds);
  let sent = 0;

  function send() {
    const at = performance.now() - start;
    if (pending.size >= connections) return answers.push({ status: "no connection", millis: 0, at });
    const work = exchange(agent, { ...next(), origin: url }).then((answer) => {
      pending.delete(work);
      answers.push({ ...answer, at });
    });
    pending.add(work);
  }

  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * perSecond));
    for (; sent < due; sent += 1) send();
    await wait(tickMs);
  }
  const rest = Promise.all(pending).then(() => agent.destroy());
  return { answers, rest, elapsed: (performance.now() - start) / 1_000 };
}
