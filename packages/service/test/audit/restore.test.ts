import { expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { migrate } from "../../src/database.ts";
import { aCaller, makeWorld, verifyAll } from "../support/world.ts";

const { audit, platform, checkpointAll, urls } = await makeWorld();
const verify = (platformId: string) => verifyAll(audit, platformId);
const append = (platformId: string) =>
  audit.append(platformId, { ...aCaller, operation: "kyc.get", subject: null, outcome: "done" });
const asOwner = (statement: string) => withConnection(urls.ownerUrl, (client) => client.query(statement));

/** As in another server, whose transaction ids are lower. */
const numberedBy = (transaction: string) =>
  `create or replace function audit_txid(transaction xid8) returns bigint language sql immutable strict
   as $body$ select ${transaction} $body$`;

/** Migrates, and returns the lines. */
async function migrateAgain(): Promise<string[]> {
  const lines: string[] = [];
  await migrate(urls.ownerUrl, { report: (line) => lines.push(line) });
  return lines;
}

const present = async () => {
  const { rows } = await asOwner("select audit_txid(pg_current_xact_id())::text as txid");
  return BigInt(rows[0].txid);
};

test("the migration continues the chain after a restore into another server with lower transaction ids", async () => {
  const platformId = await platform();
  await asOwner(numberedBy("transaction::text::bigint + 1000000000000"));
  for (let times = 0; times < 3; times += 1) await append(platformId);
  await checkpointAll(platformId);
  await append(platformId);
  const reached = await present();

  await asOwner(numberedBy("transaction::text::bigint"));
  expect(await migrateAgain()).toEqual([
    "The audit continues after the transactions of the server that the dump came from.",
  ]);
  // The lost server ran transactions after the dump, whose ids the platforms know.
  expect(await present()).toBeGreaterThan(reached + 1_000_000_000_000n);
  await append(platformId);
  await checkpointAll(platformId);
  expect(await verify(platformId)).toMatchObject({ entries: 5, pending: 0, problems: [] });
  expect(await migrateAgain()).toEqual([]);
});

test("the migration continues the numbers of checkpoints whose entries were dropped", async () => {
  const platformId = await platform();
  await asOwner(numberedBy("transaction::text::bigint + 100000000000000"));
  await append(platformId);
  await checkpointAll(platformId);
  const admin = (statement: string) => withConnection(urls.adminUrl, (client) => client.query(statement));
  await admin(`delete from audit_entries where platform_id = '${platformId}'`);
  await asOwner(numberedBy("transaction::text::bigint"));
  expect(await migrateAgain()).toHaveLength(1);
});

test("verification reports a restore without a migration", async () => {
  const platformId = await platform();
  await asOwner(numberedBy("transaction::text::bigint + 1000000000000000"));
  await append(platformId);
  await checkpointAll(platformId);
  await asOwner(numberedBy("transaction::text::bigint"));
  await append(platformId);
  expect((await verify(platformId)).problems).toEqual([
    "Under checkpoint 1, which covers 1, entries were added.",
  ]);
});
