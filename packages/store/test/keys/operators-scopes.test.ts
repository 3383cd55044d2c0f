import { readFile } from "node:fs/promises";
import { internalPlatformId, operatorScope } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { makeWorld } from "../support/world.ts";

const { platform, urls } = await makeWorld();
const platformId = await platform();

const asOwner = (...statements: string[]) =>
  withConnection(urls.ownerUrl, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
const insert = (id: string, owner: string, scopes: string) => [
  `begin; set local cardbridge.platform = '${owner}'`,
  `insert into api_keys (id, platform_id, name, prefix, hash, scopes) values ('${id}', '${owner}', '', '', '${id}', '${scopes}')`,
  "commit",
];

test.each(["{ops.records.read}", "{cards:read,ops.keys}", "{ops.unknown}", "{admin}"])(
  "the database refuses a platform's key with %s",
  async (scopes) => {
    await expect(asOwner(...insert("key_refused", platformId, scopes))).rejects.toMatchObject({
      code: "23514",
    });
    await asOwner(...insert(`key_internal_${scopes.length}`, internalPlatformId, scopes));
  },
);

test("a platform's key may have every scope of platforms", async () => {
  await asOwner(...insert("key_platform", platformId, "{cards:read,webhooks:write}"));
});

test("the migration gives keys with admin every scope of operators but ops.persons", async () => {
  await asOwner(...insert("key_admin", internalPlatformId, "{admin,cards:read}"));
  await asOwner(...insert("key_other", internalPlatformId, "{cards:read}"));
  const migration = new URL("../../src/migrations/0012_access.sql", import.meta.url);
  const blocks = (await readFile(migration, "utf8")).match(/^DO \$\$.*?^\$\$;/gms) ?? [];
  const [backfill = ""] = blocks.filter((block) => block.includes("'ops.records.read'"));
  await asOwner(backfill);
  const { rows } = await withConnection(urls.adminUrl, (client) =>
    client.query("select scopes from api_keys where id in ('key_admin', 'key_other') order by id"),
  );
  // Later scopes are not among them: a key gets a scope only from somebody who grants it.
  const later = ["ops.persons", "ops.pauses"];
  const granted = operatorScope.options.filter((name) => !later.includes(name));
  expect(rows).toEqual([{ scopes: ["admin", "cards:read", ...granted] }, { scopes: ["cards:read"] }]);
});
