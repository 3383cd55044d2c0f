import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { withConnection } from "../src/database/connect.ts";
import { grantOperators } from "../src/database/operators-access.ts";
import { restoredWithoutRoles } from "../src/database/restored-database.ts";
import { MigrationRefused, migrate } from "../src/database.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";

let urls: TestDatabase;
beforeEach(async () => {
  urls = await createTestDatabase(inject("server"));
});
afterEach(() => urls.drop());

/** What a restored dump lacks when a role did not exist. The deep tests restore real dumps. */
test.each([
  ["the owner of the tables", "alter table platforms owner to postgres"],
  [
    "the owner of the migrations",
    "alter schema drizzle owner to postgres; alter table drizzle.__drizzle_migrations owner to postgres",
  ],
  [
    "the owner's policies",
    "drop policy owner_list_platforms on platforms; drop policy owner_checkpoint_audit on platforms",
  ],
  ["the policies of operators", "drop policy operators_read on platforms"],
  ["the grants of the service", "revoke all on platforms from cardbridge_service"],
])("a database without %s is refused", async (_, statements) => {
  await withConnection(urls.adminUrl, (admin) => admin.query(statements));
  const error = await migrate(urls.ownerUrl).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MigrationRefused);
  expect(error).toMatchObject({ message: restoredWithoutRoles });
});

test("a service's role gets the role of operators again, without inheriting its rights", async () => {
  const found = await withConnection(urls.ownerUrl, async (owner) => {
    await owner.query("create role restored_service; create role restored_login in role restored_service");
    for (let run = 0; run < 2; run += 1) await grantOperators(owner, "restored_service");
    const { rows } = await owner.query(
      `select pg_has_role('restored_login', 'cardbridge_operators', 'member') as member,
         pg_has_role('restored_login', 'cardbridge_operators', 'usage') as inherits`,
    );
    await owner.query("drop role restored_login, restored_service");
    return rows;
  });
  expect(found).toEqual([{ member: true, inherits: false }]);
});

test("the access of the backup role is repaired", async () => {
  await withConnection(urls.adminUrl, (admin) =>
    admin.query("drop policy backup on users; revoke select on platforms from cardbridge_backup"),
  );
  await migrate(urls.ownerUrl);
  const { rows } = await withConnection(urls.adminUrl, (admin) =>
    admin.query(`select has_table_privilege('cardbridge_backup', 'platforms', 'select') as granted,
      exists (select from pg_policies where tablename = 'users' and policyname = 'backup') as policy`),
  );
  expect(rows).toEqual([{ granted: true, policy: true }]);
});
