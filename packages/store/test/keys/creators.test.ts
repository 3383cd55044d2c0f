import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { internalPlatformId } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { keyAdmin } from "../../src/index.ts";
import { makeWorld } from "../support/world.ts";

const { database, platform, urls } = await makeWorld();
const admin = keyAdmin(database);

const asOwner = (...statements: string[]) =>
  withConnection(urls.ownerUrl, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

async function create(createdBy: string, platformId: string): Promise<string> {
  const keyId = `key_${randomUUID()}`;
  const hash = createHash("sha256").update(keyId).digest();
  await admin.create(platformId, {
    ...{ keyId, name: keyId, prefix: "cb_live_abcd", scopes: ["cards:read"] },
    ...{ expiresAt: null, createdBy, hash },
  });
  return keyId;
}

test("the keys that a person made are listed for all platforms, with whichever key the person called", async () => {
  const ofAda = [
    await create("per_ada/key_1", internalPlatformId),
    await create("per_ada/key_2", await platform()),
  ];
  await create("per_adam/key_1", internalPlatformId);
  await create("key_1", await platform());
  const made = async (createdBy: string) => {
    const keys = await admin.list({ createdBy, state: "live", limit: 10 });
    return keys.map(({ keyId }) => keyId).sort();
  };
  expect(await made("per_ada")).toEqual(ofAda.toSorted());
  await admin.revoke(ofAda[0] ?? "");
  expect(await made("per_ada")).toEqual(ofAda.slice(1));
  expect(await made("per_none")).toEqual([]);
});

test("the migration takes the makers of older keys from the audit, and leaves the others unknown", async () => {
  const platformId = await platform();
  const insert = (id: string) => [
    `begin; set local cardbridge.platform = '${platformId}'`,
    `insert into api_keys (id, platform_id, name, prefix, hash, scopes)
     values ('${id}', '${platformId}', '', '', '${id}', '{cards:read}')`,
    "commit",
  ];
  const audit = (subject: string, operation: string, outcome = "done") => [
    "begin; set local cardbridge.platform = 'internal'",
    `insert into audit_entries (platform_id, actor, operation, subject, outcome)
     values ('internal', 'per_ada/key_1', '${operation}', '${subject}', '${outcome}')`,
    "commit",
  ];
  await asOwner(
    ...[...insert("key_known"), ...insert("key_unknown"), ...insert("key_revoked")],
    ...audit("key_known", "keys.create"),
    ...audit("key_unknown", "keys.create", "KEY_CONFLICT"),
    ...audit("key_revoked", "keys.revoke"),
  );
  const migration = new URL("../../src/migrations/0012_access.sql", import.meta.url);
  const blocks = (await readFile(migration, "utf8")).match(/^DO \$\$.*?^\$\$;/gms) ?? [];
  const [backfill = ""] = blocks.filter((block) => block.includes("SET created_by"));
  await asOwner("begin", backfill, "commit");
  const makers = ["key_known", "key_unknown", "key_revoked"].map(
    async (keyId) => (await admin.show(keyId))?.createdBy,
  );
  expect(await Promise.all(makers)).toEqual(["per_ada/key_1", null, null]);
});
