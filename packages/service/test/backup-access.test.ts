import { beforeAll, expect, test } from "vitest";
import { backupRole } from "../src/database/backup-access.ts";
import { withConnection } from "../src/database/connect.ts";
import { migrate } from "../src/database.ts";
import { aFile } from "./support/a-file.ts";
import { delivered, makeWebhookWorld } from "./support/webhooks.ts";
import { aRequest } from "./support/world.ts";

const { kyc, checkpointAll, platform, ports, urls, admin, ...webhooks } = await makeWebhookWorld();

const asBackup = <Row extends object>(statement: string) =>
  withConnection(urls.adminUrl, async (client) => {
    await client.query(`set session authorization ${backupRole}`);
    return (await client.query<Row>(statement)).rows;
  });

/** The relations of the service, and of its migrations. */
const relationsOf = async (...kinds: string[]): Promise<string[]> => {
  const rows = await admin(
    `select oid::regclass::text as name from pg_class
     where relnamespace = any ('{public,drizzle}'::regnamespace[]) and relkind = any ($1) order by 1`,
    [kinds],
  );
  return rows.map(({ name }) => name);
};

beforeAll(async () => {
  for (const platformId of [await platform(), await platform()]) {
    await webhooks.endpoint(platformId);
    const { record } = await kyc.createOrReplay(platformId, { ...aRequest(), idempotencyKey: "k" });
    await ports.files.keep(platformId, aFile());
    await kyc.keepStep(platformId, record, "create", { id: `holder_of_${platformId}` });
    await checkpointAll(platformId);
  }
  await webhooks.deliverAll(delivered);
});

test("the backup role reads every row of every table, and every sequence", async () => {
  const read: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const name of await relationsOf("r", "p", "S")) {
    const statement = `select count(*)::int from ${name}`;
    [read[name]] = await asBackup(statement);
    [expected[name]] = await admin(statement);
  }
  expect(Object.keys(read)).toEqual(expect.arrayContaining(["audit_entries_default", "kyc_history_id_seq"]));
  expect(read).toMatchObject({
    platforms: { count: 3 },
    users: { count: 2 },
    webhook_deliveries: { count: 2 },
  });
  expect(read).toEqual(expected);
});

test("a migration gives it access to a month of the audit and to a table that were created later", async () => {
  const before = await relationsOf("r");
  await withConnection(urls.ownerUrl, (owner) =>
    owner.query(`select create_audit_months(15);
      create table later (id integer generated always as identity);
      alter table later enable row level security, force row level security;
      create policy platform_isolation on later using (false)`),
  );
  await admin("insert into later default values");
  const created = (await relationsOf("r")).filter((name) => !before.includes(name));
  expect(created).toHaveLength(4);
  for (const name of created) {
    await expect(asBackup(`select from ${name}`)).rejects.toThrow(`permission denied for table ${name}`);
  }
  await migrate(urls.ownerUrl);
  for (const name of created) await asBackup(`select from ${name}`);
  expect(await asBackup("select from later")).toHaveLength(1);
  await admin("drop table later");
});

test("it can write its results only, use no sequence, create nothing and execute no function of the service", async () => {
  const granted = (column: string, table: string) =>
    admin(
      `select distinct privilege_type as type from ${table}, aclexplode(${column}) as acl
       where grantee in (0, $1::regrole) and ${table === "pg_class" ? "oid" : "attrelid"} >= 16384`,
      [backupRole],
    );
  expect(await granted("relacl", "pg_class")).toEqual([{ type: "SELECT" }]);
  expect(await granted("attacl", "pg_attribute")).toEqual([{ type: "INSERT" }]);
  await asBackup("insert into backups (step, kind, ok) values ('made', 'dump', true)");
  const columns = `select attrelid::regclass::text as table, attname as column from pg_attribute
    where has_column_privilege($1, attrelid, attnum, 'insert') and attrelid >= 16384 and attnum > 0 order by 1, 2`;
  expect(await admin(columns, [backupRole])).toEqual(
    ["kind", "ok", "step"].map((column) => ({ table: "backups", column })),
  );
  const functions = `select proname from pg_proc
    where pronamespace = any ('{public,drizzle}'::regnamespace[]) and has_function_privilege($1, oid, 'execute')`;
  expect(await admin(functions, [backupRole])).toEqual([]);
  const schemas = "select nspname from pg_namespace where has_schema_privilege($1, oid, 'create')";
  expect(await admin(schemas, [backupRole])).toEqual([]);
});

test("it cannot log in, has no attribute and is a member of no role", async () => {
  const attributes = `select rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
    as any from pg_roles where rolname = $1`;
  expect(await admin(attributes, [backupRole])).toEqual([{ any: false }]);
  const roles = "select rolname from pg_roles where rolname <> $1 and pg_has_role($1, oid, 'member')";
  expect(await admin(roles, [backupRole])).toEqual([]);
});

test("its policies give no rows to the service or to the owner", async () => {
  for (const url of [urls.serviceUrl, urls.ownerUrl]) {
    const { rows } = await withConnection(url, (client) => client.query("select from users"));
    expect(rows).toEqual([]);
  }
});
