import { setTimeout as wait } from "node:timers/promises";
import { Client } from "undici";

/**
 * Sends one request with undici's `dispatch` and reads its complete response. Never rejects: without a response,
 * `status` is the code of the error.
 *
 * @returns {Promise<{ status: number | string, millis: number }>} the time from this call to the last byte
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

/** A connection of HTTP/1.1. The certificate of a proxy in front is not one that Node knows. */
export const connection = (url, timeouts = {}) =>
  new Client(url, { pipelining: 1, allowH2: false, connect: { rejectUnauthorized: false }, ...timeouts });

/**
 * Sends `amount` requests over keep-alive connections. Each connection sends its next request after the previous
 * response. The time is measured from the first request to the last response, without connecting.
 *
 * @param next returns the next request
 * @param refusals statuses that do not count
 * @throws Error if another response is not 200
 */
export async function load(url, next, { amount, connections = 32, refusals = [] }) {
  const clients = Array.from({ length: connections }, () => connection(url));
  const times = new Float64Array(amount);
  const failures = new Map();
  let [sent, refused] = [0, 0];
  async function send(client) {
    while (sent < amount) {
      const number = sent++;
      const { status, millis } = await exchange(client, next());
      times[number] = millis;
      if (refusals.includes(status)) refused += 1;
      else if (status !== 200) failures.set(status, (failures.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(clients.map((client) => exchange(client, { method: "GET", path: "/connect" })));
  const start = performance.now();
  await Promise.all(clients.map(send));
  const seconds = (performance.now() - start) / 1_000;
  await Promise.all(clients.map((client) => client.destroy()));
  if (failures.size > 0) throw new Error(`Not 200: ${JSON.stringify(Object.fromEntries(failures))}`);
  times.sort();
  return { perSecond: (amount - refused) / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

const tickMs = 5;
/** How long a caller waits for a response before giving up, in milliseconds. */
const patienceMs = 10_000;

/**
 * Sends `perSecond` requests a second for `seconds`, without waiting for responses. The connections are opened
 * beforehand; a request that finds no free connection is counted as `no connection`.
 *
 * @param clients from `connect`; this call closes them
 * @returns `answers`, which receives a `{ status, millis }` for each request; `elapsed`, the seconds until the last
 *   request was sent; `lags`, by how many milliseconds each request was sent too late; and `rest`, which waits for the
 *   remaining responses
 */
export async function openLoad(clients, next, { perSecond, seconds }) {
  const free = [...clients];
  const answers = [];
  const pending = new Set();
  const start = performance.now();
  const total = Math.round(perSecond * seconds);
  const lags = new Float64Array(total);
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
    for (; sent < due; sent += 1) {
      lags[sent] = performance.now() - start - (sent / perSecond) * 1_000;
      send();
    }
    await wait(tickMs);
  }
  const elapsed = (performance.now() - start) / 1_000;
  const rest = Promise.all(pending).then(() => Promise.all(clients.map((client) => client.destroy())));
  return { answers, elapsed, lags: lags.sort(), rest };
}

/** Opens `count` connections in small groups: a burst would measure the operating system, not the service. */
export async function connect(url, count) {
  const clients = [];
  while (clients.length < count) {
    const some = Array.from({ length: 50 }, () => {
      return connection(url, {
        headersTimeout: patienceMs,
        bodyTimeout: patienceMs,
        keepAliveTimeout: 60_000,
      });
    });
    await Promise.all(some.map((client) => exchange(client, { method: "GET", path: "/connect" })));
    clients.push(...some);
  }
  return clients;
}

/** The quantile of sorted numbers. */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The number of responses with each status. */
export function countOf(answers) {
  const counts = new Map();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
