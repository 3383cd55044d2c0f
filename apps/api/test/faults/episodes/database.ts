import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../../support/until.ts";
import { burst, type Episode } from "../play.ts";
import type { Stage } from "../stage.ts";

/** When the database gives a new record up: as it is written, or only at the commit. */
const moments = {
  statement: ["create trigger fail before", ""],
  commit: ["create constraint trigger fail after", "deferrable initially deferred"],
} as const;

/** Lets every new record fail in the database with this SQLSTATE, the first so many times; counts the tries. */
async function failing(
  stage: Stage,
  sqlstate: string,
  times: number,
  at: keyof typeof moments = "statement",
) {
  const [trigger, when] = moments[at];
  await stage.rows(`
    create sequence tries;
    grant usage on sequence tries to public;
    create function fail() returns trigger language plpgsql as $$
    begin
      if nextval('public.tries') <= ${times} then raise exception using errcode = '${sqlstate}'; end if;
      return new;
    end $$;
    ${trigger} insert on kyc_records ${when} for each row execute function fail();
  `);
  return {
    tries: async () => Number((await stage.rows<{ n: string }>("select last_value as n from tries"))[0]?.n),
    end: () => stage.rows("drop trigger fail on kyc_records"),
  };
}

const givenUp = (sqlstate: string, at: keyof typeof moments): Episode => ({
  row: 15,
  title: `the transaction is given up at its ${at} (${sqlstate})`,
  async run(stage) {
    const service = await stage.service();
    const passing = await failing(stage, sqlstate, 2, at);
    expect(await stage.submit(service, stage.submission())).toMatchObject({ status: 200 });
    expect(await passing.tries()).toBe(3);
    await passing.end();
  },
});

const waitingForLock = `select from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`;

/** Nobody tells the service whether its commit arrived: it has to find out. */
const lostCommit = (when: "before" | "after"): Episode => ({
  row: 14,
  title: `the commit of the claim is sent and the connection lost ${when} it arrives`,
  async run(stage, how) {
    const service = await stage.service();
    await burst(stage, { ...how, size: 1 }, async (submission) => {
      service.database.cutAt("commit", when);
      expect(await stage.submit(service, submission)).toMatchObject({ status: 200 });
    });
  },
});

/** Rows 12 to 15: a database that is not there, or gives up. */
export const databaseTrouble: Episode[] = [
  {
    row: 12,
    title: "the database is down at the claim",
    async run(stage, how) {
      const service = await stage.service();
      service.database.down();
      await burst(stage, how, async (submission) => {
        const told = await stage.submit(service, submission);
        expect(told).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[0-9]+$/) });
      });
      expect(service.provider.seen).toEqual([]);
    },
  },
  {
    row: 13,
    title: "the database is gone between send and store",
    async run(stage, how) {
      const service = await stage.service();
      let held = 0;
      await burst(stage, how, async (submission) => {
        // All of the burst are sent before the database goes.
        const meanwhile = async () => {
          held += 1;
          while (held < how.size) await wait(10);
          service.database.down();
        };
        service.provider.plan(submission.email, { put: [{ effect: true, meanwhile, answer: "pass" }] });
        expect(await stage.submit(service, submission)).toMatchObject({
          status: 202,
          body: { status: "PENDING" },
        });
      });
      await stage.endLeases();
    },
  },
  lostCommit("after"),
  lostCommit("before"),
  {
    row: 14,
    title: "the commit of the result is sent and the connection lost",
    async run(stage, how) {
      const service = await stage.service();
      await burst(stage, { ...how, size: 1 }, async (submission) => {
        const afterwards = () => service.database.cutAt("commit", "after");
        service.provider.plan(submission.email, { put: [{ effect: true, afterwards, answer: "pass" }] });
        const { status } = await stage.submit(service, submission);
        expect([200, 202]).toContain(status);
      });
      await stage.endLeases();
    },
  },
  givenUp("40001", "statement"),
  givenUp("40001", "commit"),
  givenUp("40P01", "statement"),
  {
    row: 15,
    title: "the transaction is given up every time",
    async run(stage) {
      const service = await stage.service();
      const always = await failing(stage, "40P01", 1_000);
      const submission = stage.submission();
      expect(await stage.submit(service, submission)).toMatchObject({ status: 503 });
      expect(await always.tries()).toBe(4);
      expect(service.provider.seen).toEqual([]);
      await always.end();
      await stage.insist(submission);
    },
  },
  {
    row: 15,
    title: "the pool of connections is exhausted",
    async run(stage) {
      const service = await stage.service({ env: { DATABASE_CONNECTIONS: "1" } });
      const [waiting, refused] = [stage.submission(), stage.submission()];
      await stage.rows("begin; lock table users in share row exclusive mode");
      const first = stage.submit(service, waiting);
      await until(async () => (await stage.rows(waitingForLock)).length > 0);
      expect(await stage.submit(service, refused)).toMatchObject({ status: 503 });
      await stage.rows("commit");
      expect(await first).toMatchObject({ status: 200 });
      await stage.insist(refused);
    },
  },
];
