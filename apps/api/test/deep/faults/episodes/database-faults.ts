import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import { burst } from "../burst.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Episode } from "./episode.ts";

/** When the database aborts the transaction: at the insert of the record, or at the commit. */
const triggers = {
  statement: ["create trigger fail before", ""],
  commit: ["create constraint trigger fail after", "deferrable initially deferred"],
} as const;

/** Makes the first inserts of a record fail in the database with an SQLSTATE. Counts the tries. */
async function failing(
  cluster: Cluster,
  sqlstate: string,
  times: number,
  at: keyof typeof triggers = "statement",
) {
  const [create, when] = triggers[at];
  await cluster.query(`
    create sequence tries;
    grant usage on sequence tries to public;
    create function fail() returns trigger language plpgsql as $$
    begin
      if nextval('public.tries') <= ${times} then raise exception using errcode = '${sqlstate}'; end if;
      return new;
    end $$;
    ${create} insert on kyc_records ${when} for each row execute function fail();
  `);
  return {
    tries: async () =>
      Number((await cluster.query<{ n: string }>("select last_value as n from tries"))[0]?.n),
    end: () => cluster.query("drop trigger fail on kyc_records"),
  };
}

const aborted = (sqlstate: string, at: keyof typeof triggers): Episode => ({
  number: 15,
  title: `the transaction is aborted at its ${at} (${sqlstate})`,
  async run(cluster) {
    const service = await cluster.startService();
    const failure = await failing(cluster, sqlstate, 2, at);
    expect(await cluster.submit(service, cluster.newSubmission())).toMatchObject({ status: 200 });
    expect(await failure.tries()).toBe(3);
    await failure.end();
  },
});

/** A query that returns a row for each statement that waits for a lock. */
export const waitingForLock = `select from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`;

/** The service receives no response to its commit, and must find out whether the commit happened. */
const lostCommit = (when: "before" | "after"): Episode => ({
  number: 14,
  title: `the commit of the result is sent and the connection lost ${when} it arrives`,
  async run(cluster, load) {
    const service = await cluster.startService();
    await burst(cluster, { ...load, size: 1 }, async (submission) => {
      service.database.cutAt("commit", when);
      expect(await cluster.submit(service, submission)).toMatchObject({ status: 200 });
    });
  },
});

/** Faults 12 to 15: a database that is unreachable, or aborts transactions. */
export const databaseFaults: Episode[] = [
  {
    number: 12,
    title: "the database is down at the result",
    async run(cluster, load) {
      const service = await cluster.startService();
      service.database.down();
      await burst(cluster, load, async (submission) => {
        const reply = await cluster.submit(service, submission);
        expect(reply).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[0-9]+$/) });
      });
      expect(service.provider.seen).toEqual([]);
    },
  },
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
  lostCommit("after"),
  lostCommit("before"),
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
  aborted("40001", "statement"),
  aborted("40001", "commit"),
  aborted("40P01", "statement"),
  {
    number: 15,
    title: "the transaction is aborted every time",
    async run(cluster) {
      const service = await cluster.startService();
      const always = await failing(cluster, "40P01", 1_000);
      const submission = cluster.newSubmission();
      expect(await cluster.submit(service, submission)).toMatchObject({ status: 503 });
      expect(await always.tries()).toBe(4);
      expect(service.provider.seen).toEqual([]);
      await always.end();
      await cluster.retry(submission);
    },
  },
  {
    number: 15,
    title: "the pool of connections is exhausted",
    async run(cluster) {
      const service = await cluster.startService({ env: { DATABASE_CONNECTIONS: "2" } });
      const [waiting, refused] = [cluster.newSubmission(), cluster.newSubmission()];
      await cluster.query("begin; lock table users in share row exclusive mode");
      const first = cluster.submit(service, waiting);
      await until(async () => (await cluster.query(waitingForLock)).length > 0);
      expect(await cluster.submit(service, refused)).toMatchObject({ status: 503 });
      await cluster.query("commit");
      expect(await first).toMatchObject({ status: 200 });
      await cluster.retry(refused);
    },
  },
];
