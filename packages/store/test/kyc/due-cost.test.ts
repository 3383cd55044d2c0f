import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { rowsRead } from "../support/rows-read.ts";
import { makeWorld } from "../support/world.ts";

/* A poll reads only the due records, however many records are due later. */
const { platform, database, kyc, urls } = await makeWorld({ maxConnections: 1 });

const read = () => rowsRead(database, urls.adminUrl, ["kyc_records"]);

/** Inserts a user with records that are due in an hour, of two resolutions, and with records that are due now. */
async function fill(waiting: number, due: number): Promise<void> {
  const platformId = await platform();
  await withConnection(urls.adminUrl, async (client) => {
    await client.query(
      `insert into users (id, platform_id, member_id_index, email_index, encrypted, data_key, key_version)
       values ('usr_1', $1, 'a', 'a', '', '', 1)`,
      [platformId],
    );
    await client.query(
      `insert into kyc_records (id, platform_id, user_id, encrypted, fingerprint, resolution, attempt, due_at)
       select 'kyc_' || n, $1, 'usr_1', '', '', case when n % 2 = 0 then 'unresolved' else 'answered' end, 1,
         now() + case when n <= ${due} then interval '-1 hour' else interval '1 hour' end
       from generate_series(1, ${waiting + due}) as n`,
      [platformId],
    );
    await client.query("analyze kyc_records");
  });
}

test("a poll reads no record that is not due", async () => {
  await fill(5_000, 30);
  const before = await read();
  expect(await kyc.leaseDue(20)).toHaveLength(20);
  expect(await kyc.leaseDue(20)).toHaveLength(10);
  expect(await kyc.leaseDue(20)).toEqual([]);
  expect((await read()) - before).toBeLessThan(200);
});
