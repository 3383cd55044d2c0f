import { until } from "../../../support/until.ts";
import { burst } from "../burst.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { ReceiverFaults } from "../receiver/receiver.ts";
import type { Episode } from "./episode.ts";
import { failPointEpisode } from "./fail-points.ts";

const group = "37: webhooks are delivered";

/** A process that serves and delivers, shared by the episodes of the group. */
const delivering = (cluster: Cluster) => cluster.healthyService();

/** A receiver with a fault gets deliveries until the fault has happened this often. */
const received = (title: string, faults: ReceiverFaults, happened: number): Episode => ({
  number: 37,
  title,
  group,
  async run(cluster, load) {
    const receiver = await cluster.subscribe();
    const service = await delivering(cluster);
    await receiver.restart(faults);
    const [deaths, arrivals] = [receiver.deaths(), (await receiver.arrivals()).length];
    await burst(cluster, load, (submission) => cluster.submit(service, submission));
    await until(async () => {
      // While the receiver is slow to start again, the loop must not use up the attempts.
      await cluster.expireDeliveries({ untilAttempt: 4 });
      const died = receiver.deaths() - deaths;
      return (faults.refuse ? (await receiver.arrivals()).length - arrivals : died) >= happened;
    });
    await receiver.restart();
  },
});

const afterCommit = failPointEpisode("createOrReplay.committing", "kill");

/** Fault 37: webhooks, whose receiver, worker, service or database fails. */
export const webhooks: Episode[] = [
  received("a receiver that dies before it responds", { dieBefore: 1 }, 2),
  received("a receiver that responds and dies", { dieAfter: 1 }, 2),
  received("a receiver that refuses", { refuse: 1 }, 3),
  {
    number: 37,
    title: "the database is unavailable while webhooks are delivered",
    group,
    async run(cluster, load) {
      await cluster.subscribe();
      const service = await delivering(cluster);
      await burst(cluster, { ...load, retries: false }, (submission) => cluster.submit(service, submission));
      service.database.down();
      await until(() => service.output().includes("worker_pass_failed"));
      service.database.up();
    },
  },
  {
    ...afterCommit,
    number: 37,
    title: "kill -9 during the commit of a change with a webhook",
    group,
    async run(cluster, load) {
      await cluster.subscribe();
      await afterCommit.run(cluster, load);
      // The healthy process of the group started before the kill.
      await cluster.expireLeases();
    },
  },
];
