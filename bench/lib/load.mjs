import { setTimeout as wait } from "node:timers/promises";
import { Client } from "undici";

/**
 * One request by undici's `dispatch`, and its answer read to the end. Never rejects: where none came, `status` is the
 * code of the error.
 *
 * @returns {Promise<{ status: number | string, millis: number }>} the time is from this call to the last byte
 */
export function exchange(dispatcher, request) {
  const start = performance.now();
  return new Promise((resolve) => {
    let status;
    const end = (result) => resolve({ status: result, millis: performance.now() - start });
    dispatcher.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_, code) {
        status = code;
      },
      onResponseData() {},
      onResponseEnd: () => end(status),
      onResponseError: (_, error) => end(error.code ?? error.name),
    });
  });
}

/**
 * So many requests over keep-alive connections, each of which sends its next one when its last one is answered. Times are
 * from the first request to the last answer, connecting left out.
 *
 * @param next gives the next request
 * @throws where an answer is another than expected
 */
export async function load(url, next, { amount, connections = 32, expected = 200 }) {
  const clients = Array.from({ length: connections }, () => new Client(url, { pipelining: 1 }));
  const times = new Float64Array(amount);
  const failures = new Map();
  let sent = 0;
  async function send(client) {
    while (sent < amount) {
      const number = sent++;
      const { status, millis } = await exchange(client, next());
      times[number] = millis;
      if (status !== expected) failures.set(status, (failures.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(clients.map((client) => exchange(client, { method: "GET", path: "/connect" })));
  const start = performance.now();
  await Promise.all(clients.map(send));
  const seconds = (performance.now() - start) / 1_000;
  await Promise.all(clients.map((client) => client.destroy()));
  if (failures.size > 0) throw new Error(`Not ${expected}: ${JSON.stringify(Object.fromEntries(failures))}`);
  times.sort();
  return { perSecond: amount / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

const tickMs = 5;
/** So long a caller waits for an answer, in milliseconds, before they give up. */
const patienceMs = 10_000;

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

/** So many connections; few at a time, because a burst would wait for the system, and not for the service. */
export async function connect(url, count) {
  const clients = [];
  while (clients.length < count) {
    const some = Array.from({ length: 50 }, () => {
      const timeouts = { headersTimeout: patienceMs, bodyTimeout: patienceMs, keepAliveTimeout: 60_000 };
      return new Client(url, { pipelining: 1, ...timeouts });
    });
    await Promise.all(some.map((client) => exchange(client, { method: "GET", path: "/connect" })));
    clients.push(...some);
  }
  return clients;
}

/** Of numbers in their order. */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** How often each status came. */
export function countOf(answers) {
  const counts = new Map();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
