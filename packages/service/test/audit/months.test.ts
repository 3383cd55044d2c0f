import { expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { migrate } from "../../src/database.ts";
import { aRequest, makeWorld } from "../support/world.ts";

const { urls, kyc, audit, platform, checkpointAll } = await makeWorld();
const asAdmin = <Row>(...statements: string[]) =>
  withConnection(urls.adminUrl, async (client) => {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  });

const months = async () => {
  const rows = await asAdmin<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_entries'::regclass order by 1",
  );
  return rows.map(({ name }) => name);
};
const monthOf = (date: Date) => `audit_entries_${date.toISOString().slice(0, 7).replace("-", "_")}`;
const insert = (at: string) =>
  asAdmin<{ partition: string }>(
    "set timezone = 'Asia/Hong_Kong'",
    `insert into audit_entries (platform_id, actor, operation, outcome, at)
     values ('plt_months', 'key_1', 'kyc.get', 'done', '${at}') returning tableoid::regclass::text as partition`,
  );

test("a migrated database has a partition for each month of a year", async () => {
  const now = new Date();
  const expected = Array.from({ length: 12 }, (_, number) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + number))),
  );
  expect(await months()).toEqual([...expected, "audit_entries_default"].sort());
});

test("a month begins and ends in UTC", async () => {
  const [first = ""] = await months();
  const month = first.slice(-7).replace("_", "-");
  expect(await insert(`${month}-01T00:00:00Z`)).toEqual([{ partition: first }]);
  expect(await insert(`${month}-28T23:59:59.999Z`)).toEqual([{ partition: first }]);
});

test("entries of a month without a partition are stored, and a migration leaves them where they are", async () => {
  const late = new Date();
  late.setUTCMonth(late.getUTCMonth() + 12, 2);
  expect(await insert(late.toISOString())).toEqual([{ partition: "audit_entries_default" }]);
  await asAdmin("set timezone = 'Asia/Hong_Kong'", "select create_audit_months(14)");
  expect(await months()).not.toContain(monthOf(late));
  expect(await months()).toHaveLength(14);
  await migrate(urls.ownerUrl);
  expect(await insert(late.toISOString())).toEqual([{ partition: "audit_entries_default" }]);
});

test("after a month is dropped, a verification can start at its last checkpoint", async () => {
  const platformId = await platform();
  await kyc.createOrReplay(platformId, aRequest());
  await asAdmin(
    `update audit_entries set at = now() - interval '40 days' where platform_id = '${platformId}'`,
  );
  const [last] = await checkpointAll(platformId);
  if (!last) throw new Error("no checkpoint");
  await kyc.createOrReplay(platformId, { ...aRequest(), idempotencyKey: "again" });
  await checkpointAll(platformId);
  await asAdmin(
    `delete from audit_entries where platform_id = '${platformId}' and at < date_trunc('month', now())`,
  );
  expect(await audit.verify(platformId, { after: 0 })).toMatchObject({
    problems: [expect.stringMatching(/missing/)],
  });
  expect(await audit.verify(platformId, { after: last.number })).toMatchObject({ problems: [] });
});

test("a migration creates months while a transaction adds entries", async () => {
  await withConnection(urls.adminUrl, async (writer) => {
    await writer.query("begin");
    await writer.query(
      "insert into audit_entries (platform_id, actor, operation, outcome) values ('plt_months', 'key_1', 'kyc.get', 'done')",
    );
    await asAdmin("set lock_timeout = '1s'", "select create_audit_months(16)");
    await writer.query("rollback");
  });
  expect(await months()).toHaveLength(16);
});
