import { setTimeout as wait } from "node:timers/promises";
import { expect, inject, it } from "vitest";
import { type Cluster, startCluster } from "../deep/faults/cluster/cluster.ts";
import { hasEnded, type Service } from "../deep/faults/cluster/service.ts";
import { duplicated, lost } from "../deep/faults/invariants/delivery.ts";
import { readFacts } from "../deep/faults/invariants/facts.ts";
import { undecided } from "../deep/faults/invariants/resolution.ts";
import { wrongHistory } from "../deep/faults/invariants/trail.ts";
import { wrongWebhooks } from "../deep/faults/invariants/webhooks.ts";
import { randomFrom } from "../deep/faults/random.ts";
import type { Receiver } from "../deep/faults/receiver/receiver.ts";
import { recover, stopAll } from "../deep/faults/recover.ts";
import { writeReport } from "../deep/faults/write-report.ts";

/*
 * Many changes while processes die at random: services with a worker, the receiver, and connections of the database.
 * `WEBHOOKS_…` variables change its size.
 */
const changes = Number(process.env.WEBHOOKS_CHANGES ?? 10_000);
const seed = Number(process.env.WEBHOOKS_SEED ?? Math.floor(Math.random() * 1e6));
const clients = 48;
/** Clients wait while more deliveries than this are pending, so that the faults affect most of them. */
const maxPending = 500;
/** A living process ends an attempt within this time; otherwise the delivery is sent twice. */
const maxAttemptMs = 3_000;

const countOf = async ({ query }: Cluster, from: string): Promise<number> =>
  (await query<{ count: number }>(`select count(*)::int as count from ${from}`))[0]?.count ?? 0;

/** Starts two processes, which are killed and restarted repeatedly. After `stop` both are dead. */
function startServices(cluster: Cluster, kills: Record<string, number>) {
  let stopped = false;
  const current: Service[] = [];
  const pauseMs = () => 5_000 + cluster.random() * 15_000;

  async function keep(place: number): Promise<void> {
    while (!stopped) {
      const service = await cluster.startService({ run: "all", env: { DATABASE_CONNECTIONS: "10" } });
      current[place] = service;
      await wait(pauseMs());
      if (cluster.random() < 0.3) {
        service.database.down();
        await wait(500);
        service.database.up();
        kills.database = (kills.database ?? 0) + 1;
      }
      kills.service = (kills.service ?? 0) + 1;
      await service.end("SIGKILL");
    }
  }

  const running = Promise.all([keep(0), keep(1)]);
  return {
    any: () => current.filter((service) => !hasEnded(service)),
    async stop() {
      stopped = true;
      await running;
    },
  };
}

async function killReceiver(cluster: Cluster, receiver: Receiver, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(3_000 + cluster.random() * 6_000);
    receiver.kill();
    // The retry delays grow to hours, and the lease of a killed process blocks its record for a minute.
    await cluster.expireDeliveries({ leasesFromMs: maxAttemptMs });
  }
}

it(`delivers ${changes} changes while processes and connections fail`, async () => {
  const cluster = await startCluster(inject("postgres"), randomFrom(seed));
  const startedAt = Date.now();
  const ending = new AbortController();
  try {
    const receiver = await cluster.subscribe();
    await receiver.restart({ dieBefore: 0.001, dieAfter: 0.001, refuse: 0.005 });
    const kills: Record<string, number> = {};
    const services = startServices(cluster, kills);
    const killing = killReceiver(cluster, receiver, ending.signal);

    let enough = false;
    let pending = 0;
    async function submit(): Promise<void> {
      while (!enough) {
        const [service] = services.any().sort(() => cluster.random() - 0.5);
        if (service && pending < maxPending)
          await cluster.submit(service, cluster.newSubmission(), { timeoutMs: 5_000 });
        else await wait(50);
      }
    }
    const submitting = Promise.all(Array.from({ length: clients }, submit));
    while ((await countOf(cluster, "kyc_history")) < changes) {
      pending = await countOf(cluster, "webhook_deliveries where status = 'pending'");
      await wait(500);
    }
    enough = true;
    await submitting;
    await services.stop();
    ending.abort();
    await killing;
    await recover(cluster);

    // Without the invariants that compare every submission with every byte that was sent or logged.
    const facts = await readFacts(cluster, {});
    const violations = [
      ...[...lost(cluster, facts), ...duplicated(facts), ...undecided(facts)],
      ...[...(await wrongHistory(cluster)), ...(await wrongWebhooks(cluster)), ...(await stopAll(cluster))],
    ];
    const arrivals = await receiver.arrivals();
    const results = JSON.stringify({
      seed,
      changes: await countOf(cluster, "kyc_history"),
      submissions: cluster.submissions.length,
      arrivals: arrivals.length,
      ids: new Set(arrivals.map(({ id }) => id)).size,
      failedAttempts: await countOf(cluster, "webhook_attempts where status is distinct from 204"),
      kills: { ...kills, receiver: receiver.deaths() },
      seconds: Math.round((Date.now() - startedAt) / 1_000),
      violations: violations.length,
    });
    process.stderr.write(`${results}\n`);
    await writeReport("webhooks", results);
    expect(violations).toEqual([]);
  } finally {
    await cluster.close();
  }
});
