import type { ApiKey, ApiKeys } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { createCache } from "../cache.ts";
import type { Database } from "../database.ts";
import { batched } from "./batched.ts";
import { knownScopes } from "./fields.ts";

/** The maximum number of keys in one statement: a few milliseconds of the server's work. */
const maxKeys = 500;

interface Row extends Record<string, unknown> {
  /** The position of the key's hash, from 1. */
  nth: number;
  key_id: string;
  platform_id: string;
  scopes: string[];
}

/**
 * Finds live API keys by their hash, before the platform is known. Concurrent look-ups share a statement, so a flood of
 * unknown keys takes one connection at most. The same statement stores the last uses, at most once a minute each. A
 * cached key stays valid for `cacheSeconds`, even when it is revoked meanwhile.
 */
export function apiKeysRepository(database: Database, cacheSeconds = 0): ApiKeys {
  const cached = createCache<ApiKey>(cacheSeconds);
  const find = batched((hashes) => findAll(database, hashes), maxKeys);
  return { find: (hash) => cached(hash, () => find(hash)) };
}

function findAll(database: Database, hashes: readonly Buffer[]): Promise<(ApiKey | null)[]> {
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<Row>(
      sql`select nth, key_id, platform_id, scopes from find_api_keys(${toArray(hashes)}::bytea[])`,
    );
    const found = new Map(rows.map((row) => [row.nth, toApiKey(row)]));
    return hashes.map((_, index) => found.get(index + 1) ?? null);
  });
}

/** An array of bytea as PostgreSQL reads it. */
function toArray(hashes: readonly Buffer[]): string {
  return `{${hashes.map((hash) => `"\\\\x${hash.toString("hex")}"`).join()}}`;
}

function toApiKey({ key_id: keyId, platform_id: platformId, scopes }: Row): ApiKey {
  return { keyId, platformId, scopes: knownScopes(scopes) };
}
