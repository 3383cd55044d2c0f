import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import { burst } from "../burst.ts";
import { type Service, wasKilled } from "../cluster/service.ts";
import type { Episode } from "./episode.ts";

/** Faults 5 and 11: processes that end during their calls to the provider. */
export const endedProcesses: Episode[] = [
  {
    number: 5,
    title: "kill -9 during the request to the provider",
    async run(cluster, load) {
      const victim = await cluster.startService();
      // The clients retry in the recovery, when the process is dead.
      await burst(cluster, { ...load, retries: false }, (submission) => {
        const effect = cluster.random() < 0.5;
        const before = () => victim.child.kill("SIGKILL");
        victim.provider.plan(submission.email, { put: [{ effect, before, answer: "never" }] });
        return cluster.submit(victim, submission);
      });
      await until(() => wasKilled(victim));
    },
  },
  {
    number: 11,
    title: "SIGTERM under load",
    async run(cluster, load) {
      const service = await cluster.startService({ env: { SHUTDOWN_DELAY_MS: "3000" } });
      const slowly = {
        effect: true,
        before: () => wait(200 + cluster.random() * 600),
        answer: "pass",
      } as const;
      const clients = burst(cluster, { ...load, size: load.size * 10 }, async (submission) => {
        service.provider.plan(submission.email, { put: [slowly] });
        await wait(cluster.random() * 900);
        return cluster.submit(service, submission);
      });
      await wait(300);
      const ended = service.end("SIGTERM");
      await until(() => isNotReady(service));
      expect(await ended).toBe(0);
      await clients;
    },
  },
  {
    number: 11,
    title: "SIGTERM, and attempts that do not end in time",
    async run(cluster, load) {
      // Leases of ten minutes: another process resolves the record soon only if the lease is released.
      const longLeases = {
        PROVIDER_KYC_TIMEOUT_MS: "60000",
        LEASE_MARGIN_MS: "600000",
        SHUTDOWN_GRACE_MS: "500",
      };
      const service = await cluster.startService({ env: longLeases });
      const clients = burst(cluster, load, (submission) => {
        const effect = cluster.random() < 0.5;
        service.provider.plan(submission.email, { put: [{ effect, answer: "never" }] });
        return cluster.submit(service, submission);
      });
      await until(() => service.provider.seen.length === load.size);
      expect(await service.end("SIGTERM")).toBe(0);
      await clients;
    },
  },
];

async function isNotReady({ url }: Service): Promise<boolean> {
  const { status } = await fetch(`${url}/health/ready`);
  return status === 503;
}
