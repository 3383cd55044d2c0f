import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { listRecords } from "../../src/records/list.ts";
import { operatorCall } from "../support/calls.ts";
import { rowsRead } from "../support/rows-read.ts";
import { aRequest, makeWorld, someone } from "../support/world.ts";

/*
 * The number of rows that a call reads does not grow with the tables, even with plans made while they were empty: a new
 * database has no statistics and keeps its plans until it is analyzed.
 */
async function measuredWorld() {
  const world = await makeWorld({ maxConnections: 1, until: onTestFinished });
  const { admin, database, kyc, ports, submitted, urls } = world;
  const waiting = async () => (await listRecords.execute(ports, operatorCall, { limit: 20 })).data.records;
  // From the sixth execution, a prepared statement uses the same plan.
  for (let call = 0; call < 10; call += 1)
    await Promise.all([kyc.leaseDue(4), kyc.countWaiting(), waiting()]);
  // Of fewer records, one scan would be the cheapest plan.
  const { platformId, externalUserId } = await submitted();
  return {
    ...world,
    waiting,
    platformId,
    /** Inserts records of one user: with these values, for each `n` up to `count`. */
    fill: (count: number, resolution: string, dueAt: string) =>
      admin(
        `insert into kyc_records (id, platform_id, user_id, encrypted, fingerprint, resolution, attempt, due_at)
         select 'kyc_' || n, $1, $2, '', '', ${resolution}, 1, ${dueAt} from generate_series(1, $3::integer) as n`,
        [platformId, externalUserId, count],
      ),
    async rowsOf(call: () => Promise<unknown>) {
      const read = () => rowsRead(database, urls.adminUrl, ["users", "kyc_records"]);
      const before = await read();
      await call();
      return (await read()) - before;
    },
  };
}

test("a submission, its repetition and a reading read as many rows with thousands of users as with ten", async () => {
  const { admin, kyc, platformId, rowsOf } = await measuredWorld();
  const submitTen = async () => {
    for (let number = 0; number < 10; number += 1) {
      const request = aRequest(someone(randomUUID()));
      await kyc.createOrReplay(platformId, request);
      expect(await kyc.createOrReplay(platformId, request)).toMatchObject({ kind: "replay" });
      const { memberId, email } = request.submission;
      for (const name of [{ memberId }, { email }])
        expect(await kyc.current(platformId, name)).toMatchObject({ kycRecordId: request.kycRecordId });
    }
  };
  await submitTen();
  const rowsOfFew = await rowsOf(submitTen);
  const users = `select 'usr_' || n || $1 as id, 'kyc_' || n || $1 as record from generate_series(1, 3000) as n`;
  await admin(
    `insert into users (id, platform_id, member_id_index, email_index, encrypted, data_key, key_version)
     select id, $1, id::bytea, id::bytea, '', '', 1 from (${users}) as new`,
    [platformId],
  );
  await admin(
    `insert into kyc_records (id, platform_id, user_id, encrypted, fingerprint, resolution, attempt)
     select record, $1, id, '', '', 'answered', 1 from (${users}) as new`,
    [platformId],
  );
  expect(rowsOfFew).toBeGreaterThan(0);
  expect(await rowsOf(submitTen)).toBeLessThan(rowsOfFew + 100);
});

test("a poll reads no record that is not due, however many are due later", async () => {
  const { admin, fill, kyc, rowsOf } = await measuredWorld();
  const resolution = "case when n % 2 = 0 then 'unresolved' else 'answered' end";
  await fill(
    5_030,
    resolution,
    "now() + case when n > 5000 then interval '-1 hour' else interval '1 hour' end",
  );
  await admin("analyze kyc_records");
  const poll = async () => {
    for (const due of [20, 10, 0]) expect(await kyc.leaseDue(20)).toHaveLength(due);
  };
  expect(await rowsOf(poll)).toBeLessThan(200);
});

test("a lease reads a few rows per record, however many are due without statistics", async () => {
  const { fill, kyc, rowsOf } = await measuredWorld();
  await fill(100_000, "'unresolved'", "now() - interval '1 minute'");
  expect(await rowsOf(async () => expect(await kyc.leaseDue(4)).toHaveLength(4))).toBeLessThan(200);
});

/* The metrics count the waiting records at each scrape. */
test("a count and a list of waiting records read no decided record, with statistics and without", async () => {
  const { admin, fill, kyc, rowsOf, waiting } = await measuredWorld();
  await fill(20_000, "'answered'", "null");
  const count = async () => expect(await kyc.countWaiting()).toHaveLength(1);
  const list = async () => expect(await waiting()).toHaveLength(1);
  expect([await rowsOf(count), await rowsOf(list)]).toEqual([1, 1]);
  await admin("analyze kyc_records");
  expect([await rowsOf(count), await rowsOf(list)]).toEqual([1, 1]);
});
