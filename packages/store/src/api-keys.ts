import { type ApiKeys, scope } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

/** Finds live API keys by their hash, before a platform is known. Scopes that nobody knows any more drop out. */
export function apiKeysRepository(database: Database): ApiKeys {
  return {
    find: (hash) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ key_id: string; platform_id: string; scopes: string[] }>(
          sql`select key_id, platform_id, scopes from find_api_key(${hash})`,
        );
        const [row] = rows;
        if (!row) return null;
        const scopes = scope.options.filter((known) => row.scopes.includes(known));
        return { keyId: row.key_id, platformId: row.platform_id, scopes };
      }),
  };
}
