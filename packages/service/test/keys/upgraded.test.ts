import { readFile } from "node:fs/promises";
import { internalPlatformId, operatorScope } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { makeWorld } from "../support/world.ts";

/* What the database requires of keys, and what the migration of access made of those of version 0.2.0. */
const { admin, platform, urls } = await makeWorld();
const platformId = await platform();

const migration = new URL("../../src/database/migrations/0012_access.sql", import.meta.url);
const blocks = (await readFile(migration, "utf8")).match(/^DO \$\$.*?^\$\$;/gms) ?? [];

const asOwner = (...statements: string[]) =>
  withConnection(urls.ownerUrl, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
/** Runs the part of the migration that contains this text again. */
const backfill = (text: string) =>
  asOwner("begin", blocks.find((block) => block.includes(text)) ?? "", "commit");

const insert = (id: string, owner: string, scopes = "{cards:read}") =>
  asOwner(
    `begin; set local cardbridge.platform = '${owner}'`,
    `insert into api_keys (id, platform_id, name, prefix, hash, scopes) values ('${id}', '${owner}', '', '', '${id}', '${scopes}')`,
    "commit",
  );

test.each(["{ops.records.read}", "{cards:read,ops.keys}", "{ops.unknown}", "{admin}"])(
  "the database refuses a platform's key with %s, and no internal one",
  async (scopes) => {
    await expect(insert("key_refused", platformId, scopes)).rejects.toMatchObject({ code: "23514" });
    await insert(`key_internal_${scopes.length}`, internalPlatformId, scopes);
  },
);

test("keys with admin got every scope of operators but the later ones", async () => {
  await insert("key_admin", internalPlatformId, "{admin,cards:read}");
  await insert("key_other", internalPlatformId);
  await backfill("'ops.records.read'");
  const rows = await admin("select scopes from api_keys where id in ('key_admin', 'key_other') order by id");
  // A key gets a scope only from somebody who grants it.
  const later = ["ops.persons", "ops.pauses"];
  const granted = operatorScope.options.filter((name) => !later.includes(name));
  expect(rows).toEqual([{ scopes: ["admin", "cards:read", ...granted] }, { scopes: ["cards:read"] }]);
});

test("the makers of older keys were taken from the audit, and the others stay unknown", async () => {
  const audit = (subject: string, operation: string, outcome = "done") =>
    admin(
      `insert into audit_entries (platform_id, actor, operation, subject, outcome)
       values ('internal', 'per_ada/key_1', $1, $2, $3)`,
      [operation, subject, outcome],
    );
  const ids = ["key_known", "key_revoked", "key_unknown"];
  for (const id of ids) await insert(id, platformId);
  await audit("key_known", "keys.create");
  await audit("key_unknown", "keys.create", "KEY_CONFLICT");
  await audit("key_revoked", "keys.revoke");
  await backfill("SET created_by");
  const makers = await admin("select created_by from api_keys where id = any($1) order by id", [ids]);
  expect(makers.map(({ created_by }) => created_by)).toEqual(["per_ada/key_1", null, null]);
});
