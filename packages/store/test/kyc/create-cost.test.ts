import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { rowsRead } from "../support/rows-read.ts";
import { aRequest, makeWorld } from "../support/world.ts";

/*
 * The number of rows that a submission reads does not grow with the number of users, even with plans made while the
 * tables were empty: a new database has no statistics and keeps its plans until it is analyzed.
 */
const { platform, database, kyc, urls } = await makeWorld({ maxConnections: 1 });

function newRequest() {
  const name = randomUUID();
  return aRequest({ memberId: name, email: `${name}@example.com` });
}

const read = () => rowsRead(database, urls.adminUrl, ["users", "kyc_records"]);

/** Inserts users with a record each. */
function fill(platformId: string, count: number): Promise<unknown> {
  const ids = `select 'usr_' || n || $1 as id, 'kyc_' || n || $1 as record, $1 as platform
    from generate_series(1, ${count}) as n`;
  return withConnection(urls.adminUrl, async (client) => {
    await client.query(
      `insert into users (id, platform_id, member_id_index, email_index, encrypted, data_key, key_version)
       select id, platform, id::bytea, id::bytea, '', '', 1 from (${ids}) as new`,
      [platformId],
    );
    await client.query(
      `insert into kyc_records (id, platform_id, user_id, encrypted, fingerprint, resolution, attempt)
       select record, platform, id, '', '', 'answered', 1 from (${ids}) as new`,
      [platformId],
    );
  });
}

test("a submission and its repetition read as many rows with thousands of users as with ten", async () => {
  const platformId = await platform();
  const costOfTen = async () => {
    const before = await read();
    for (let number = 0; number < 10; number += 1) {
      const request = newRequest();
      await kyc.createOrReplay(platformId, request);
      expect(await kyc.createOrReplay(platformId, request)).toMatchObject({ kind: "replay" });
    }
    return (await read()) - before;
  };
  // From the sixth execution, a prepared statement uses the same plan.
  await costOfTen();
  const rowsOfFew = await costOfTen();
  await fill(platformId, 3_000);
  const rowsOfMany = await costOfTen();
  expect(rowsOfFew).toBeGreaterThan(0);
  expect(rowsOfMany).toBeLessThan(rowsOfFew + 100);
});
