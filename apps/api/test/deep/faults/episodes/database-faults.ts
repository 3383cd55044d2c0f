import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { burst } from "../burst.ts";
import type { Episode } from "./episode.ts";

/** Faults 13 and 14: a database that is lost while a result is stored. */
export const databaseFaults: Episode[] = [
  {
    number: 13,
    title: "the database is unavailable between send and store",
    async run(cluster, load) {
      const service = await cluster.startService();
      let sent = 0;
      await burst(cluster, load, async (submission) => {
        // Every submission of the burst is sent before the database goes down.
        const before = async () => {
          sent += 1;
          while (sent < load.size) await wait(10);
          service.database.down();
        };
        service.provider.plan(submission.email, { put: [{ effect: true, before, answer: "pass" }] });
        expect(await cluster.submit(service, submission)).toMatchObject({
          status: 202,
          body: { status: "PENDING" },
        });
      });
      await cluster.expireLeases();
    },
  },
  {
    number: 14,
    title: "the commit of the result is sent and the connection lost",
    async run(cluster, load) {
      const service = await cluster.startService();
      await burst(cluster, { ...load, size: 1 }, async (submission) => {
        const after = () => service.database.cutAt("commit", "after");
        service.provider.plan(submission.email, { put: [{ effect: true, after, answer: "pass" }] });
        const { status } = await cluster.submit(service, submission);
        expect([200, 202]).toContain(status);
      });
      await cluster.expireLeases();
    },
  },
];
