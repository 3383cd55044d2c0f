import type { ApiKey, ApiKeys } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { createCache } from "../hold.ts";
import { knownScopes } from "./facts.ts";

/**
 * Finds live API keys by their hash, before a platform is known: one statement, which notes once a minute at
 * most when the key was last used. A key that was found counts for so many seconds, whatever becomes of it.
 */
export function apiKeysRepository(database: Database, holdSeconds = 0): ApiKeys {
  const held = createCache<ApiKey>(holdSeconds);
  const find = (hash: Buffer) =>
    database.withoutPlatform(async (tx) => {
      const { rows } = await tx.execute<{ key_id: string; platform_id: string; scopes: string[] }>(
        sql`select key_id, platform_id, scopes from use_api_key(${hash})`,
      );
      const [row] = rows;
      if (!row) return null;
      return { keyId: row.key_id, platformId: row.platform_id, scopes: knownScopes(row.scopes) };
    });
  return { find: (hash) => held(hash, () => find(hash)) };
}
