import type { ApiKey, ApiKeys } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { type LookupCache, noLookupCache } from "../database/lookup-cache.ts";
import { batched } from "./batched.ts";
import { knownScopes } from "./fields.ts";

/** The maximum number of keys in one statement, which takes the server a few milliseconds. */
const maxKeys = 500;

interface Row extends Record<string, unknown> {
  /** The position of the key's hash, starting at 1. */
  nth: number;
  key_id: string;
  platform_id: string;
  scopes: string[];
  /** Seconds until the key expires; null for a key that does not expire. */
  expires_in: number | null;
}

/**
 * Finds live API keys by their hash, before the platform is known. Concurrent look-ups share a statement, so many
 * unknown keys use at most one connection. The statement also stores the time of the last use, at most once a minute
 * for each key. The cache drops a key when it expires.
 */
export function apiKeysRepository(database: Database, cache: LookupCache = noLookupCache): ApiKeys {
  const findRow = batched((hashes) => findRows(database, hashes), maxKeys);
  return {
    find: (hash) =>
      cache.find<ApiKey>(`key ${hash.toString("hex")}`, async (limit) => {
        const row = await findRow(hash);
        if (!row) return null;
        if (row.expires_in !== null) limit(row.expires_in);
        return { keyId: row.key_id, platformId: row.platform_id, scopes: knownScopes(row.scopes) };
      }),
  };
}

function findRows(database: Database, hashes: readonly Buffer[]): Promise<(Row | null)[]> {
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<Row>(
      sql`select nth, key_id, platform_id, scopes, expires_in from find_api_keys(${toArray(hashes)}::bytea[])`,
    );
    const found = new Map(rows.map((row) => [row.nth, row]));
    return hashes.map((_, index) => found.get(index + 1) ?? null);
  });
}

/** A bytea array in PostgreSQL's text format. */
function toArray(hashes: readonly Buffer[]): string {
  return `{${hashes.map((hash) => `"\\\\x${hash.toString("hex")}"`).join()}}`;
}
