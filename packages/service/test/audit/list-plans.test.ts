import { auditListQuery, type PersonPlatforms } from "@cardbridge/domain";
import { beforeAll, expect, test } from "vitest";
import { readScans, scansOf } from "../../src/audit/scans.ts";
import { auditMonthsWorld, pastMonth } from "../support/audit-months.ts";
import { explain } from "../support/plan.ts";
import { makeSearchable } from "../support/searchable.ts";

const world = await makeSearchable();
const { database, admin, platform } = world;
const months = auditMonthsWorld(world);
const platforms: string[] = [];
const limit = 51;

/** Entries of twenty platforms in three months, the present one included. */
beforeAll(async () => {
  for (let index = 0; index < 20; index += 1) platforms.push(await platform());
  await months.createMonth(pastMonth(2));
  await months.createMonth(pastMonth());
  for (const [order, at] of [`${pastMonth(2)}-15Z`, `${pastMonth()}-15Z`, "now"].entries()) {
    await admin(
      `insert into audit_entries (platform_id, actor, operation, subject, outcome, at, txid)
       select ($1::text[])[1 + n % 20], 'key_1', 'kyc.get', 'kyc_' || n, 'done', $2::timestamptz, $3 + n / 10
       from generate_series(1, 20000) as n`,
      [platforms, at, (order + 1) * 10_000],
    );
  }
  await admin("vacuum analyze");
});

const reaches: [string, () => PersonPlatforms, number][] = [
  ["one platform", () => platforms.slice(0, 1), 1],
  ["several platforms", () => platforms.slice(0, 12), 12],
  ["all platforms", () => "all", 20],
];

async function read(reach: PersonPlatforms, query: object, size = limit) {
  const scans = await database.asOperators(reach, (tx) => scansOf(tx, reach));
  const tables = await explain(database, reach, readScans(auditListQuery.parse(query), scans, size));
  const partitions = Object.entries(tables).filter(([name]) => name.startsWith("audit_entries"));
  return {
    scanned: partitions.filter(([, accesses]) => accesses.some(({ rows }) => rows > 0)).map(([name]) => name),
    kinds: [...new Set(partitions.flatMap(([, accesses]) => accesses.map(({ index }) => index)))],
    rows: partitions.flatMap(([, accesses]) => accesses).reduce((sum, { rows }) => sum + rows, 0),
    // A merge of partitions reads the first row of each.
    most: partitions.length,
  };
}

test.each(reaches)("a page of %s reads its rows by the primary key", async (_name, reach, count) => {
  const { kinds, rows, most } = await read(reach(), {});
  for (const kind of kinds) expect(kind).toMatch(/_pkey$/);
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThanOrEqual((count + 1) * (limit + most));
});

test.each(reaches)("another filter of %s reads as many rows as it may", async (_name, reach, count) => {
  const { rows, most } = await read(reach(), { subject: "kyc_none" }, 500);
  expect(rows).toBeGreaterThanOrEqual(count * 500);
  expect(rows).toBeLessThanOrEqual((count + 1) * (500 + most));
});

test("times read the partitions of their months alone", async () => {
  const partition = `audit_entries_${pastMonth().replace("-", "_")}`;
  const { scanned } = await read(platforms, {
    after: `${pastMonth()}-01T00:00:00Z`,
    before: `${pastMonth()}-28T00:00:00Z`,
  });
  expect(scanned).toEqual([partition]);
});
