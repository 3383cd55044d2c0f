import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { aCaller, makeWorld, verifyAll } from "../support/world.ts";

const { audit, platform, checkpointAll, urls } = await makeWorld();
const verify = (platformId: string) => verifyAll(audit, platformId);
const append = (platformId: string) =>
  audit.append(platformId, { ...aCaller, operation: "kyc.get", subject: null, outcome: "done" });
const asOwner = (statement: string) => withConnection(urls.ownerUrl, (client) => client.query(statement));

const numberedBy = (transaction: string) =>
  `create or replace function audit_txid(transaction xid8) returns bigint language sql immutable strict
   as $body$ select ${transaction} $body$`;

/** The statements of docs/production.md that run once after a restore into another server. */
const continueNumbers = `
  begin;
  set local cardbridge.task = 'checkpoint_audit';
  do $$ begin
    execute format('create or replace function audit_txid(transaction xid8) returns bigint
      language sql immutable strict as ''select transaction::text::bigint + %s''',
      (select max(txid) from (select txid from audit_entries union all select txid from kyc_history) as ids));
  end $$;
  commit;`;

test("the chain continues after a restore into another server with lower transaction ids", async () => {
  const platformId = await platform();
  await asOwner(numberedBy("transaction::text::bigint + 1000000000000"));
  for (let times = 0; times < 3; times += 1) await append(platformId);
  await checkpointAll(platformId);
  await append(platformId);

  await asOwner(numberedBy("transaction::text::bigint"));
  await asOwner(continueNumbers);
  await append(platformId);
  await checkpointAll(platformId);
  expect(await verify(platformId)).toMatchObject({ entries: 5, pending: 0, problems: [] });
});

test("verification reports a restore that skips this step", async () => {
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
