import type { ApiKey, ApiKeys } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { createCache } from "../cache.ts";
import type { Database } from "../database.ts";
import { knownScopes } from "./fields.ts";

/**
 * Finds live API keys by their hash, before the platform is known. The same statement stores the last use, at
 * most once a minute. A cached key stays valid for `cacheSeconds`, even when it is revoked meanwhile.
 */
export function apiKeysRepository(database: Database, cacheSeconds = 0): ApiKeys {
  const cached = createCache<ApiKey>(cacheSeconds);
  const find = (hash: Buffer) =>
    database.withoutPlatform(async (tx) => {
      const { rows } = await tx.execute<{ key_id: string; platform_id: string; scopes: string[] }>(
        sql`select key_id, platform_id, scopes from use_api_key(${hash})`,
      );
      const [row] = rows;
      if (!row) return null;
      return { keyId: row.key_id, platformId: row.platform_id, scopes: knownScopes(row.scopes) };
    });
  return { find: (hash) => cached(hash, () => find(hash)) };
}
