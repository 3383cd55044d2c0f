import { type EncryptionKeyVersion, encryptionKeyStatus } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../database/database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Lists the versions of the key ring and the data encrypted under each. */
export const encryptionKeysStatus = defineOperation({
  ...forOperators("ops.encryption"),
  reach: "service",
  id: "encryptionKeys.status",
  kind: "read",
  summary: "Show the encryption keys",
  description:
    "Lists the versions of KEY_RING, the data encrypted under each, and whether you can remove it.",
  input: z.object({}),
  rules: [],
  output: encryptionKeyStatus,
  example: {
    input: {},
    output: {
      versions: [
        {
          version: 1,
          users: 4,
          files: 0,
          webhookEndpoints: 0,
          persons: 0,
          inRing: true,
          current: true,
          removable: false,
        },
      ],
    },
  },
  errors: [],
  audit: [],

  // It works with wrong keys too.
  async run({ database, keySet }) {
    const versions = await versionStatus(database, keySet.versions);
    return {
      data: { versions: versions.map((version) => ({ ...version, removable: isRemovable(version) })) },
    };
  },
});

function isRemovable(version: Omit<EncryptionKeyVersion, "removable">): boolean {
  const { users, files, webhookEndpoints, persons, inRing, current } = version;
  return inRing && !current && users + files + webhookEndpoints + persons === 0;
}

/** The versions in the key ring and in use, each with its counts of users, unused files, webhook endpoints and persons. */
async function versionStatus(
  database: Database,
  { current, all }: KeySet["versions"],
): Promise<Omit<EncryptionKeyVersion, "removable">[]> {
  const users = await count(database, sql`count_user_key_versions()`);
  const files = await count(database, sql`count_file_key_versions()`);
  const endpoints = await count(database, sql`count_webhook_key_versions()`);
  const persons = await count(
    database,
    sql`(select key_version, count(*) as count from persons group by key_version) as persons`,
  );
  const versions = new Set([
    ...all,
    ...users.keys(),
    ...files.keys(),
    ...endpoints.keys(),
    ...persons.keys(),
  ]);
  return [...versions]
    .sort((a, b) => a - b)
    .map((version) => ({
      version,
      users: users.get(version) ?? 0,
      files: files.get(version) ?? 0,
      webhookEndpoints: endpoints.get(version) ?? 0,
      persons: persons.get(version) ?? 0,
      inRing: all.includes(version),
      current: version === current,
    }));
}

async function count(database: Database, counts: SQL): Promise<Map<number, number>> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ version: number; count: number }>(
      sql`select key_version as version, count::int as count from ${counts}`,
    ),
  );
  return new Map(rows.map(({ version, count: number }) => [version, number]));
}
