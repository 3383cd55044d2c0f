import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { rowsRead } from "../support/rows-read.ts";
import { aRequest, makeWorld } from "../support/world.ts";

/* The number of rows that a lease of due records reads does not grow with the number of records. */
const { kyc, database, platform, urls } = await makeWorld({ maxConnections: 1 });

const admin = (text: string, values: unknown[]) =>
  withConnection(urls.adminUrl, (client) => client.query(text, values));
const read = () => rowsRead(database, urls.adminUrl, ["kyc_records"]);

test("a lease reads a few rows per record, however many records there are without statistics", async () => {
  const platformId = await platform();
  // A plan that the empty table led to must not stay.
  for (let call = 0; call < 10; call += 1) await kyc.leaseDue(4);
  // Of fewer records, one scan would be the cheapest plan.
  const { record } = await kyc.createOrReplay(platformId, aRequest());
  await admin(
    `insert into kyc_records (id, platform_id, user_id, resolution, attempt, due_at)
     select 'kyc_' || n, $1, $2, 'unresolved', 1, now() - interval '1 minute' from generate_series(1, 100000) as n`,
    [platformId, record.externalUserId],
  );
  const before = await read();
  expect(await kyc.leaseDue(4)).toHaveLength(4);
  expect((await read()) - before).toBeLessThan(200);
});
