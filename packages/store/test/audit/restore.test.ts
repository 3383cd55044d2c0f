import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { verifyAudit } from "../../src/index.ts";
import { aCaller, keys, makeWorld } from "../support/world.ts";

const { audit, platform, sealAll, database, urls } = await makeWorld();
const verify = (platformId: string) => verifyAudit(database, platformId, { keys });
const note = (platformId: string) =>
  audit.append(platformId, { ...aCaller, operation: "kyc.get", subject: null, outcome: "done" });
const asOwner = (statement: string) => withConnection(urls.ownerUrl, (client) => client.query(statement));

const counting = (transaction: string) =>
  `create or replace function audit_txid(transaction xid8) returns bigint language sql immutable strict
   as $body$ select ${transaction} $body$`;

/** As in docs/production.md: what is done once behind a restore into another server. */
const goOn = `
  begin;
  set local cardbridge.task = 'seal_audit';
  do $$ begin
    execute format('create or replace function audit_txid(transaction xid8) returns bigint
      language sql immutable strict as ''select transaction::text::bigint + %s''',
      (select max(txid) from audit_entries));
  end $$;
  commit;`;

test("behind a dump that was restored into another server, whose numbers are lower, the chain goes on", async () => {
  const platformId = await platform();
  await asOwner(counting("transaction::text::bigint + 1000000000000"));
  for (let times = 0; times < 3; times += 1) await note(platformId);
  await sealAll(platformId);
  await note(platformId);

  await asOwner(counting("transaction::text::bigint"));
  await asOwner(goOn);
  await note(platformId);
  await sealAll(platformId);
  expect(await verify(platformId)).toMatchObject({ entries: 5, unsealed: 0, problems: [] });
});

test("where that is forgotten, verification says so", async () => {
  const platformId = await platform();
  await asOwner(counting("transaction::text::bigint + 1000000000000000"));
  await note(platformId);
  await sealAll(platformId);
  await asOwner(counting("transaction::text::bigint"));
  await note(platformId);
  expect((await verify(platformId)).problems).toEqual(["Under seal 1, which covers 1, entries were added."]);
});
