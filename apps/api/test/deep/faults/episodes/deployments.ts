import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { burst } from "../burst.ts";
import { clockAt } from "../cluster/process-clock.ts";
import type { Service } from "../cluster/service.ts";
import { shortDeadline } from "../cluster/settings.ts";
import type { Episode } from "./episode.ts";

const wrongClock = (hours: number): Episode => ({
  number: 34,
  title: `a clock ${hours > 0 ? "one hour ahead" : "one hour behind"}`,
  async run(cluster) {
    const service = await cluster.startService();
    const env = clockAt(`Real.now() + ${hours * 3_600_000}`);
    const wrong = await cluster.startService({ run: "all", env });
    const submission = cluster.newSubmission();
    const before = () => wait(1_100);
    service.provider.plan(submission.email, { put: [{ effect: true, before, answer: "pass" }] });
    // Meanwhile the other process looks for due records. It does not lease a record that is already leased.
    expect(await cluster.submit(service, submission)).toMatchObject({ status: 200 });
    expect(await cluster.query("select from kyc_records where attempt = 1")).toHaveLength(1);
    // The provider refuses its signatures because of their time. A process with the right clock sends its records.
    expect(await cluster.submit(wrong, cluster.newSubmission())).toMatchObject({ status: 202 });
    await wrong.end("SIGTERM");
  },
});

/** Faults 34 and 35: processes with different clocks or versions. */
export const deployments: Episode[] = [
  wrongClock(1),
  wrongClock(-1),
  {
    number: 35,
    title: "two versions during a rolling deploy",
    async run(cluster, load) {
      const submitTo = (service: Service) =>
        burst(cluster, { retries: true, size: load.size * 5 }, async (submission) => {
          await wait(cluster.random() * 1_500);
          const unanswered = { put: [{ effect: true, answer: "never" as const }] };
          if (cluster.random() < 0.3) service.provider.plan(submission.email, unanswered);
          return cluster.submit(service, submission);
        });
      const old = await cluster.startService({ run: "all", env: shortDeadline });
      const onOld = submitTo(old);
      // The next version's migration only adds columns and an index. The old version still serves requests.
      await cluster.query("alter table kyc_records add column of_the_next_version text default 'none'");
      await cluster.query("alter table kyc_history add column of_the_next_version text");
      await cluster.query("create index of_the_next_version on kyc_records (of_the_next_version)");
      const next = await cluster.startService({
        run: "all",
        env: { ...shortDeadline, POLICY_DOCUMENT_EXPIRY: "future" },
      });
      const onNext = submitTo(next);
      await wait(500);
      expect(await old.end("SIGTERM")).toBe(0);
      await Promise.all([onOld, onNext]);
    },
  },
];
