import { setTimeout as wait } from "node:timers/promises";
import { Client } from "undici";
import { exchange } from "./exchange.mjs";

const tickMs = 5;
/** So long a caller waits for an answer, in milliseconds, before they give up. */
const patienceMs = 10_000;
const connections = 2_000;

/**
 * Sends so many requests a second for so long, whatever becomes of them: callers who do not wait for each other. The
 * connections are there before; who finds none of them free is counted as `no connection`.
 *
 * @param clients from `connect`; they are used up
 * @returns `answers`, which gets a `{ status, millis }` for each request; `elapsed`, the seconds until the last one was
 *   sent; and `rest`, which waits for what is not answered by then
 */
export async function openLoad(clients, next, { perSecond, seconds }) {
  const free = [...clients];
  const answers = [];
  const pending = new Set();
  const start = performance.now();
  const total = Math.round(perSecond * seconds);
  let sent = 0;

  function send() {
    const client = free.pop();
    if (!client) return answers.push({ status: "no connection", millis: 0 });
    const work = exchange(client, next()).then((answer) => {
      pending.delete(work);
      free.push(client);
      answers.push(answer);
    });
    return pending.add(work);
  }

  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * perSecond));
    for (; sent < due; sent += 1) send();
    await wait(tickMs);
  }
  const elapsed = (performance.now() - start) / 1_000;
  const rest = Promise.all(pending).then(() => Promise.all(clients.map((client) => client.destroy())));
  return { answers, elapsed, rest };
}

/** As many connections as a proxy keeps; few at a time, because a burst would wait for the system, and not for the service. */
export async function connect(url) {
  const clients = [];
  while (clients.length < connections) {
    const some = Array.from({ length: 50 }, () => {
      const timeouts = { headersTimeout: patienceMs, bodyTimeout: patienceMs, keepAliveTimeout: 60_000 };
      return new Client(url, { pipelining: 1, ...timeouts });
    });
    await Promise.all(some.map((client) => exchange(client, { method: "GET", path: "/connect" })));
    clients.push(...some);
  }
  return clients;
}
