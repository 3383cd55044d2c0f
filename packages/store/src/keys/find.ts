import type { ApiKey, ApiKeys } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { type CacheOptions, createCache } from "../cache.ts";
import type { Database } from "../database.ts";
import { knownScopes } from "./fields.ts";

type KeyRow = {
  key_id: string;
  platform_id: string;
  scopes: string[];
  /** In seconds; null for a key without an expiry. */
  expires_in: number | null;
};

/**
 * Finds live API keys by their hash, before the platform is known. The same statement stores the last use, at
 * most once a minute. A cached key lives until it expires or changes.
 */
export function apiKeysRepository(database: Database, cache?: CacheOptions): ApiKeys {
  const cached = createCache<ApiKey>(cache);
  const findRow = (hash: Buffer) =>
    database.withoutPlatform(async (tx) => {
      const { rows } = await tx.execute<KeyRow>(
        sql`select key_id, platform_id, scopes, expires_in from use_api_key(${hash})`,
      );
      return rows[0] ?? null;
    });
  return {
    find: (hash) =>
      cached(hash, async (limitAge) => {
        const row = await findRow(hash);
        if (!row) return null;
        if (row.expires_in !== null) limitAge(row.expires_in);
        return { keyId: row.key_id, platformId: row.platform_id, scopes: knownScopes(row.scopes) };
      }),
  };
}
