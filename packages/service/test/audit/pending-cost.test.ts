import { expect, test } from "vitest";
import { pendingAudit } from "../../src/audit/checkpoint.ts";
import { withConnection } from "../../src/database/connect.ts";
import { rowsRead } from "../support/rows-read.ts";
import { aCaller, makeWorld } from "../support/world.ts";

/* A worker looks for entries without a checkpoint every few seconds. It must not read those that have one. */
const { audit, database, platform, urls } = await makeWorld({ maxConnections: 1 });

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  withConnection(urls.adminUrl, async (client) => (await client.query<Row>(text, values)).rows);
const partitions = await query<{ name: string }>(
  "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_entries'::regclass",
);
const names = partitions.map(({ name }) => name);

test("a search for entries without a checkpoint, and the next one, read a few rows, however many have one", async () => {
  // A plan that the empty table led to must not stay.
  for (let call = 0; call < 10; call += 1) await pendingAudit({ database });
  const platformId = await platform();
  await query(
    `insert into audit_entries (platform_id, actor, operation, outcome)
     select $1, 'key_1', 'kyc.get', 'done' from generate_series(1, 5000)`,
    [platformId],
  );
  // Over the measured connection, because the statistics of others arrive late.
  while ((await pendingAudit({ database })).length > 0) await audit.checkpoint(platformId, 5_000);
  await audit.append(platformId, { ...aCaller, subject: "kyc_1", outcome: "done" });
  const before = await rowsRead(database, urls.adminUrl, names);
  expect(await pendingAudit({ database })).toMatchObject([{ platformId }]);
  await audit.checkpoint(platformId, 5_000);
  expect((await rowsRead(database, urls.adminUrl, names)) - before).toBeLessThan(10);
});
