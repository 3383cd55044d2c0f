import { setTimeout as wait } from "node:timers/promises";
import type { Cluster } from "./cluster/cluster.ts";
import { hasEnded } from "./cluster/service.ts";
import { readRecords } from "./invariants/records.ts";
import type { Receiver } from "./receiver/receiver.ts";

const resolveWithinMs = 180_000;

/** Ends every fault. Waits until a healthy process has resolved the remaining records, or until the time limit. */
export async function recover(cluster: Cluster): Promise<void> {
  for (const { database, provider } of cluster.services) {
    database.up();
    provider.up();
    provider.clear();
  }
  const hasOpen = async () =>
    (await hasAnswered(cluster)) ||
    (await readRecords(cluster)).some(
      ({ resolution, needsAttention }) => resolution === "unresolved" && !needsAttention,
    );
  if (cluster.services.some(hasEnded) || (await hasOpen())) await cluster.healthyService();
  const deadline = Date.now() + resolveWithinMs;
  while (Date.now() < deadline && (await hasOpen())) {
    await cluster.expireDelays();
    await wait(100);
  }
  if (cluster.receiver.current) await deliver(cluster, cluster.receiver.current);
}

/** Whether an answer to a document request waits for the provider, or for the decision that follows it. */
async function hasAnswered({ query }: Cluster): Promise<boolean> {
  return (await query("select from document_requests where status = 'answered' limit 1")).length > 0;
}

/** Waits until a healthy process has delivered pending webhooks to a healthy receiver, or until the time limit. */
async function deliver(cluster: Cluster, receiver: Receiver): Promise<void> {
  await receiver.restart();
  const hasPending = async () =>
    (await cluster.query("select from webhook_deliveries where status = 'pending' limit 1")).length > 0;
  if (await hasPending()) await cluster.healthyService();
  await cluster.expireDeliveries({ leasesFromMs: 0 });
  const deadline = Date.now() + resolveWithinMs;
  while (Date.now() < deadline && (await hasPending())) {
    await cluster.expireDeliveries();
    await wait(100);
  }
}

/** Stops the processes that still run. Each must end by SIGTERM within its grace period, with exit code 0. */
export async function stopAll({ services }: Cluster): Promise<string[]> {
  const running = services.filter((service) => !hasEnded(service));
  const codes = await Promise.all(running.map((service) => service.end("SIGTERM")));
  return codes.filter((code) => code !== 0).map((code) => `SIGTERM: a process ended with ${code}`);
}
