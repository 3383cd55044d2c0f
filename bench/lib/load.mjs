import { Client } from "undici";
import { exchange } from "./exchange.mjs";

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

/** Of numbers in their order. */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
