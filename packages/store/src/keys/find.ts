import type { ApiKey, ApiKeys } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { type LookupCache, noLookupCache } from "../lookup-cache.ts";
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
  /** In seconds; null for a key without an expiry. */
  expires_in: number | null;
}

/**
 * Finds live API keys by their hash, before the platform is known. Concurrent look-ups share a statement, so a flood of
 * unknown keys takes one connection at most. The same statement stores the last uses, at most once a minute each. A
 * cached key ends no later than it expires.
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

/** An array of bytea as PostgreSQL reads it. */
function toArray(hashes: readonly Buffer[]): string {
  return `{${hashes.map((hash) => `"\\\\x${hash.toString("hex")}"`).join()}}`;
}
