import { readFileSync } from "node:fs";
import type { PersonPlatforms, RecordFilter } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { decidedCount, expiryCount, openCount } from "../../src/records/counts.ts";
import { nextIds } from "../../src/records/list-changes.ts";
import { pathOf, readScans, scansOf, searchPaths } from "../../src/records/search-scans.ts";
import { explain } from "../support/plan.ts";
import { makeSearchable } from "../support/searchable.ts";

const { database, admin, platform } = await makeSearchable();
const platforms: string[] = [];
const records = 40_000;
const open = 400;
const attention = 200;
const limit = 51;

/** Many decided records of twenty platforms; the newest are open, and some of these need attention. */
beforeAll(async () => {
  for (let index = 0; index < 20; index += 1) platforms.push(await platform());
  await admin(
    `insert into users (id, platform_id, member_id_index, encrypted, data_key, key_version)
     select 'usr_' || n, ($1::text[])[1 + n % 20], n::text::bytea, '', '', 1 from generate_series(1, $2::integer) as n`,
    [platforms, records],
  );
  await admin(
    `insert into kyc_records (id, platform_id, user_id, resolution, status, attempt, created_at, due_at, needs_attention_since,
       document_expiry)
     select 'kyc_' || lpad(n::text, 9, '0'), ($1::text[])[1 + n % 20], 'usr_' || n,
       case when n > $2 - $3 then 'unresolved' else 'answered' end, case when n > $2 - $3 then null else 'APPROVED' end, 1,
       now() - interval '30 days' + n * interval '1 minute',
       case when n > $2 - $3 and n <= $2 - $4 then now() end, case when n > $2 - $4 then now() end,
       case when n % 100 = 3 then 'expiring' when n % 10 = 7 then 'expired' else 'valid' end
     from generate_series(1, $2::integer) as n`,
    [platforms, records, open, attention],
  );
  await admin(
    `insert into record_assignments (platform_id, record_id, assignee, role, version)
     select platform_id, id, case when n % 2 = 0 then 'per_' || n % 40 end, case when n % 80 = 1 then 'compliance' when n % 2 = 1 then 'operator' end, 1
     from (select platform_id, id, row_number() over () as n from kyc_records where resolution = 'unresolved') as rows`,
  );
  await admin(
    `insert into document_requests (platform_id, record_id, id, provider_id, document_type, accepts, requested_at, status,
       revision, source)
     select platform_id, id, 'dreq_1', 'req_1', 'SELFIE', '{SELFIE}', now(), case when id like '%7' then 'open' else 'closed' end,
       1, 'event'
     from kyc_records`,
  );
  await admin("vacuum analyze");
});

const filters: [string, RecordFilter][] = [
  ["{}", {}],
  ["open", { open: true }],
  ["needsAttention", { needsAttention: true }],
  ["requested", { requested: true }],
  ["documentExpiry", { documentExpiry: "expiring" }],
  ["assignee", { assignee: "per_1" }],
  ["assignee and open", { assignee: "per_1", open: true }],
];
const assignees = { personId: "per_1", roles: ["compliance"] as const };
const reaches: [string, () => PersonPlatforms][] = [
  ["one platform", () => platforms.slice(0, 1)],
  ["several platforms", () => platforms.slice(0, 12)],
  ["all platforms", () => "all"],
];
const cases = filters.flatMap(([name, filter]) =>
  reaches.flatMap(([reachName, reach]) =>
    (["newest", "oldest"] as const).map((order) => ({ name, reachName, order, filter, reach })),
  ),
);

test.each(cases)(
  "$name of $reachName, $order first, reads the rows of its page by its index",
  async (example) => {
    const { filter, order } = example;
    const reach = example.reach();
    const search = { platforms: reach, assignees, filter, order, asOf: Date.now() * 1_000 };
    const scans = scansOf(search);
    const path = pathOf(reach, filter);
    const read = await explain(database, reach, readScans(search, scans, limit));
    const requests = read.document_requests?.map(({ index }) => index) ?? [];
    expect(requests).toEqual(filter.requested ? [expect.stringMatching(/^document_requests_/)] : []);
    if (path === "assignee") {
      expect(read.record_assignments?.map(({ index }) => index)).toEqual(
        expect.arrayContaining([searchPaths.assignee.index, searchPaths.assignee.indexOfRoles]),
      );
      expect(read.kyc_records?.map(({ index }) => index)).toEqual([
        expect.stringMatching(/_pkey$|_of_platform$/),
      ]);
      expect(read.kyc_records?.[0]?.rows).toBeLessThanOrEqual(open / 40);
    } else {
      expect(read.kyc_records?.map(({ index }) => index)).toEqual([searchPaths[path].index]);
      // Within a partial index, the records of other platforms are skipped.
      const others = path === "documentExpiry" ? records / 100 : open;
      const most = reach === "all" || path === "platforms" ? scans.length * limit : others;
      expect(read.kyc_records?.[0]?.rows).toBeLessThanOrEqual(most);
      expect(read.kyc_records?.[0]?.rows).toBeGreaterThan(0);
    }
  },
);

test.each(reaches)("a search of %s with another filter reads as many rows as it may", async (_, reach) => {
  const search = {
    platforms: reach(),
    assignees,
    filter: { status: "REJECTED" } as const,
    order: "newest" as const,
    asOf: Date.now() * 1_000,
  };
  const scans = scansOf(search);
  const read = await explain(database, reach(), readScans(search, scans, 1_000));
  expect(read.kyc_records).toEqual([
    { index: searchPaths[pathOf(reach(), search.filter)].index, rows: scans.length * 1_000 },
  ]);
});

test.each(reaches)(
  "the counts of %s read open records in their index, and decided ones up to the limit",
  async (_, reach) => {
    const counted = await explain(database, reach(), openCount);
    expect(counted.kyc_records).toEqual([{ index: "kyc_records_open", rows: open }]);
    const approved = decidedCount(reach(), sql`resolution = 'answered' and status = 'APPROVED'`);
    const decided = await explain(database, reach(), approved);
    const found = reach() === "all" ? records : (records * reach().length) / 20;
    expect(decided.kyc_records?.map(({ index }) => index)).toEqual(["kyc_records_decided"]);
    expect(decided.kyc_records?.[0]?.rows).toBeLessThanOrEqual(Math.min(found, 10_001 + 12));
  },
);

test.each(reaches)("the counts of documents of %s read the index alone", async (_, reach) => {
  const read = await explain(database, reach(), expiryCount("expired"));
  expect(read.kyc_records?.map(({ index }) => index)).toEqual(["kyc_records_expiring"]);
  expect(read.kyc_records?.[0]?.rows).toBeLessThanOrEqual(records / 10);
});

test.each(reaches)("the changes of %s read the rows of a page by their index", async (_, reach) => {
  await admin(
    `insert into kyc_history (platform_id, record_id, source, resolution, txid)
     select platform_id, id, 'submission', 'unresolved', (row_number() over (order by id)) / 200 from kyc_records`,
  );
  await admin("vacuum analyze kyc_history");
  const platforms = reach();
  const read = await explain(database, platforms, nextIds(platforms, "0", "0"));
  const index = platforms === "all" ? "kyc_history_all_changes" : "kyc_history_changes";
  const scans = platforms === "all" ? 1 : platforms.length;
  expect(read.kyc_history).toEqual([{ index, rows: scans * 101 }]);
});

test("every index is in the list of the documentation", () => {
  const page = readFileSync(new URL("../../../../docs/operate/search.md", import.meta.url), "utf8");
  for (const { index } of Object.values(searchPaths)) expect(page).toContain(`\`${index}\``);
});
