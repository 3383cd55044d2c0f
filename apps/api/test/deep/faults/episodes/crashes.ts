import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import { burst } from "../burst.ts";
import { http } from "../cluster/http-bytes.ts";
import { wasKilled } from "../cluster/service.ts";
import type { ServiceFailPoint } from "../program/points.ts";
import type { Episode } from "./episode.ts";
import { failPointEpisode } from "./fail-points.ts";

/** Processes without a worker do not touch the records of other processes, so they can share a cluster. */
const group = "1, 2, 3, 5, 6, 7: kill -9 of a process that serves requests";

const killedAt = (number: number, title: string, point: ServiceFailPoint): Episode => ({
  ...failPointEpisode(point, "kill"),
  number,
  title,
  group,
});

/** Faults 1 to 9: processes that are killed. */
export const crashes: Episode[] = [
  killedAt(1, "kill -9 before the record is committed", "createOrReplay.decided"),
  killedAt(2, "kill -9 during that commit", "createOrReplay.committing"),
  killedAt(3, "kill -9 after the commit, before anything is sent", "createOrReplay.after"),
  {
    number: 4,
    title: "kill -9 after the attempt is stored, before a byte is sent",
    async run(cluster, load) {
      const failPoint = `submitKyc.before:kill:${load.size + 1}` as const;
      const victim = await cluster.startService({ run: "all", failPoint });
      await burst(cluster, { ...load, retries: false }, async (submission) => {
        victim.provider.plan(submission.email, { put: [{ effect: false, answer: http(503, "{}") }] });
        expect(await cluster.submit(victim, submission)).toMatchObject({ status: 202 });
      });
      await until(() => wasKilled(victim));
    },
  },
  {
    number: 5,
    title: "kill -9 during the request to the provider",
    group,
    async run(cluster, load) {
      const victim = await cluster.startService();
      // The clients retry in the recovery, when every process of the group is dead.
      await burst(cluster, { ...load, retries: false }, (submission) => {
        const effect = cluster.random() < 0.5;
        const before = () => victim.child.kill("SIGKILL");
        victim.provider.plan(submission.email, { put: [{ effect, before, answer: "never" }] });
        return cluster.submit(victim, submission);
      });
      await until(() => wasKilled(victim));
    },
  },
  killedAt(6, "kill -9 after the provider's effect, before the result is stored", "submitKyc.after"),
  killedAt(7, "kill -9 during the commit of the result", "storeVerdict.committing"),
  {
    number: 8,
    title: "kill -9 after the commit of the result, before the reply",
    async run(cluster, { size }) {
      const victim = await cluster.startService({ failPoint: `storeVerdict.after:kill:${size}` });
      const submissions = Array.from({ length: size }, () => cluster.newSubmission());
      for (const submission of submissions) await cluster.submit(victim, submission);
      const last = submissions.at(-1);
      if (last) expect(await cluster.retry(last)).toMatchObject({ status: 200, replayed: true });
    },
  },
  {
    number: 9,
    title: "kill -9 of the worker during a pass",
    async run(cluster, load) {
      const front = await cluster.startService();
      await burst(cluster, { ...load, size: load.size + 3 }, (submission) => {
        front.provider.plan(submission.email, { put: [{ effect: false, answer: http(503, "{}") }] });
        return cluster.submit(front, submission);
      });
      const worker = await cluster.startService({ run: "worker", failPoint: "findKyc.after:kill:2" });
      await until(() => wasKilled(worker));
      await cluster.expireLeases();
    },
  },
];
