import { maxRecordViews } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { kycAdmin } from "../../src/database.ts";
import { recordReads } from "../../src/kyc/views.ts";
import { aCaller, keys, makeWorld } from "../support/world.ts";

const { admin: asAdmin, audit, database, platform } = await makeWorld();
const asked: (readonly string[])[] = [];
const names = async (ids: readonly string[]) => {
  asked.push(ids);
  return ids.includes("per_ada") ? [{ personId: "per_ada", name: "Ada" }] : [];
};
const admin = kycAdmin(database, { leaseSeconds: 30, keys, names });

const aRead = { ...aCaller, operation: "records.get", subject: "kyc_1", outcome: "done" } as const;
const read = (platformId: string, actor: string, changes: { operation?: string; subject?: string } = {}) =>
  audit.appendHourly(platformId, { ...aRead, actor, ...changes });
const age = (platformId: string, actor: string, days: number) =>
  asAdmin(
    `update audit_reads set day = day - $3::int, last_at = last_at - $3::int * interval '1 day'
     where platform_id = $1 and actor = $2`,
    [platformId, actor, days],
  );

test("the views of a record have the persons' names, newest first, of today and yesterday", async () => {
  const platformId = await platform();
  for (const actor of ["per_ada/key_1", "claim:eve"]) await read(platformId, actor);
  await age(platformId, "per_ada/key_1", 1);
  await age(platformId, "claim:eve", 2);
  // A later hour changes the time of a view, and adds none.
  for (const actor of ["key_2", "key_2", "per_ada/key_1", "per_gone/key_1"]) {
    await read(platformId, actor);
    await asAdmin(
      "update audit_reads set last_at = last_at - interval '1 hour' where platform_id = $1 and day = (select max(day) from audit_reads)",
      [platformId],
    );
  }

  const ada = { personId: "per_ada", name: "Ada" };
  const at = expect.stringMatching(/^20.*Z$/);
  const views = await admin.views(platformId, "kyc_1");
  expect(views).toEqual([
    { by: { personId: "per_gone", name: null }, actor: "per_gone/key_1", at },
    { by: ada, actor: "per_ada/key_1", at },
    { by: null, actor: "key_2", at },
    { by: ada, actor: "per_ada/key_1", at },
  ]);
  const times = views.map((view) => view.at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(asked.at(-1)).toEqual(["per_gone", "per_ada"]);
});

test("other records, operations and platforms have their own", async () => {
  const [platformId, other] = [await platform(), await platform()];
  await read(platformId, "key_1", { subject: "kyc_2" });
  await read(platformId, "key_1", { operation: "users.show" });
  await read(other, "key_1");
  expect(await admin.views(platformId, "kyc_1")).toEqual([]);
  expect(await admin.views(other, "kyc_1")).toHaveLength(1);
});

test("the newest 20 of many are read by the primary key", async () => {
  const platformId = await platform();
  const days = "(now() at time zone 'UTC')::date - n % 4";
  await asAdmin(
    `insert into audit_reads (day, platform_id, subject, operation, actor, address, last_at)
     select ${days}, $1, 'kyc_' || n % 100, 'records.get', 'key_' || n, '', ${days} + n * interval '1 second'
     from generate_series(1, 20000) as n`,
    [platformId],
  );
  await asAdmin("vacuum analyze audit_reads");
  const views = await admin.views(platformId, "kyc_4");
  expect(views).toHaveLength(maxRecordViews);
  expect(views[0]?.actor).toBe("key_19904");

  const plan = await database.asPlatform(platformId, async (tx) => {
    const { rows } = await tx.execute<{ "QUERY PLAN": string }>(
      sql`explain (analyze, costs off, timing off) ${recordReads(tx, platformId, "kyc_4").getSQL()}`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toMatch(/Index Scan (on|using) audit_reads_of_day/);
  expect(plan).toMatch(/Index Cond: .*day = ANY .*platform_id = .*subject = .*operation = /);
  expect(plan).not.toContain("Seq Scan");
});
