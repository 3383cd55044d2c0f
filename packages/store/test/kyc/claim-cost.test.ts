import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { aClaim, makeWorld } from "../support/world.ts";

/*
 * The rows that a claim reads do not grow with the number of users, also with plans made while the tables were
 * empty: a new database has no statistics, and keeps its plans until it is analyzed.
 */
const { platform, database, kyc, urls } = await makeWorld({ maxConnections: 1 });

function newClaim() {
  const name = randomUUID();
  return aClaim({ memberId: name, email: `${name}@example.com` });
}

/** The number of rows of users and records that were read so far, by index or sequentially. */
async function rowsRead(): Promise<number> {
  await database.withoutPlatform((tx) => tx.execute(sql`select pg_stat_force_next_flush()`));
  return withConnection(urls.adminUrl, async (client) => {
    const { rows } = await client.query<{ read: number }>(
      `select sum(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0))::int as read
       from pg_stat_user_tables where relname in ('users', 'kyc_records')`,
    );
    return rows[0]?.read ?? 0;
  });
}

/** Inserts users with a record each. */
function fill(platformId: string, count: number): Promise<unknown> {
  const ids = `select 'usr_' || n || $1 as id, 'kyc_' || n || $1 as record, $1 as platform
    from generate_series(1, ${count}) as n`;
  return withConnection(urls.adminUrl, async (client) => {
    await client.query(
      `insert into users (id, platform_id, member_id_index, email_index, sealed, data_key, key_version)
       select id, platform, id::bytea, id::bytea, '', '', 1 from (${ids}) as new`,
      [platformId],
    );
    await client.query(
      `insert into kyc_records (id, platform_id, user_id, sealed, fingerprint, settlement, attempt)
       select record, platform, id, '', '', 'answered', 1 from (${ids}) as new`,
      [platformId],
    );
  });
}

test("a claim reads as many rows with thousands of users as with ten", async () => {
  const platformId = await platform();
  const costOfTen = async () => {
    const before = await rowsRead();
    for (let number = 0; number < 10; number += 1) await kyc.claim(platformId, newClaim());
    return (await rowsRead()) - before;
  };
  // A prepared statement keeps its plan from the sixth execution on.
  await costOfTen();
  const rowsOfFew = await costOfTen();
  await fill(platformId, 3_000);
  const rowsOfMany = await costOfTen();
  expect(rowsOfFew).toBeGreaterThan(0);
  expect(rowsOfMany).toBeLessThan(rowsOfFew + 100);
});
