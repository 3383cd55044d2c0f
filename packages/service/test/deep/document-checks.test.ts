import { expect, onTestFinished, test } from "vitest";
import { checkDocuments } from "../../src/kyc/check-documents.ts";
import { countDocuments } from "../../src/kyc/count-documents.ts";
import { rowsRead } from "../support/rows-read.ts";
import { makeWorld } from "../support/world.ts";

/*
 * What a pass over documents reads among many records. DOCUMENT_RECORDS=1000000 measures a large table. The records have no
 * submission, so that a pass decrypts nothing.
 */
const count = Number(process.env.DOCUMENT_RECORDS ?? 100_000);
const limit = 200;

test("a pass reads the due records alone, among records that are due later and a whole table of an earlier version", async () => {
  // The statistics of reads are those of one connection.
  const world = await makeWorld({ maxConnections: 1, until: onTestFinished });
  const { admin, database, platform, ports, urls } = world;
  const platformId = await platform();
  await admin(
    `insert into users (id, platform_id, member_id_index, encrypted, data_key, key_version)
     select 'usr_' || n, $1, n::text::bytea, '', '', 1 from generate_series(1, $2::integer) as n`,
    [platformId, count],
  );
  await admin(
    `insert into kyc_records (id, platform_id, user_id, resolution, status, attempt, document_expiry, document_check_at)
     select 'kyc_' || lpad(n::text, 9, '0'), $1, 'usr_' || n, 'answered', 'APPROVED', 1, 'valid',
       now() + n * interval '1 minute'
     from generate_series(1, $2::integer) as n`,
    [platformId, count],
  );
  await admin("vacuum analyze");
  const check = () => checkDocuments(ports, { expiryNoticeDays: 60, limit });
  /** The rows of records that work reads. */
  async function reads<T>(work: () => Promise<T>) {
    const before = await rowsRead(database, urls.adminUrl, ["kyc_records"]);
    const result = await work();
    return { result, rows: (await rowsRead(database, urls.adminUrl, ["kyc_records"])) - before };
  }
  const none = await reads(check);
  expect(none.result).toBe(0);
  // The planner reads the ends of the index.
  expect(none.rows).toBeLessThan(10);
  await admin(
    "update kyc_records set document_check_at = now() - interval '1 hour' where id in (select id from kyc_records order by id desc limit $1)",
    [limit],
  );
  // A row is read four times: to find, to lease, to decide and to write it.
  const due = await reads(check);
  expect(due.result).toBe(limit);
  expect(due.rows).toBeGreaterThanOrEqual(limit);
  expect(due.rows).toBeLessThan(5 * limit);

  // Every record is as an earlier version left it.
  await admin("update kyc_records set document_expiry = null, document_check_at = default");
  const filled = [];
  for (let pass = 0; pass < 10; pass += 1) filled.push(await reads(check));
  for (const { result, rows } of filled) {
    expect(result).toBe(limit);
    expect(rows).toBeLessThan(5 * limit);
  }
  const [, , unchecked] = await countDocuments(ports);
  expect(unchecked).toMatchObject({ state: "unchecked", count: Math.min(count - 10 * limit, 100_000) });
  process.stdout.write(
    `${count} records: a pass over ${limit} due records read ${due.rows} rows, and over those of an earlier version at most ${Math.max(...filled.map(({ rows }) => rows))}\n`,
  );
});
