import type { ApiKey, FindApiKey } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { type LookupCache, noLookupCache } from "../database/lookup-cache.ts";
import { platformOf } from "../operation/platform-of.ts";
import { knownScopes, selectKey } from "./key.ts";

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
export function findApiKey(database: Database, cache: LookupCache = noLookupCache): FindApiKey {
  const findRow = batched((hashes) => findRows(database, hashes), maxKeys);
  return (hash) =>
    cache.find<ApiKey>(`key ${hash.toString("hex")}`, async (limit) => {
      const row = await findRow(hash);
      if (!row) return null;
      if (row.expires_in !== null) limit(row.expires_in);
      return { keyId: row.key_id, platformId: row.platform_id, scopes: knownScopes(row.scopes) };
    });
}

/** Whether a key is live, by its id; false for an unknown one. Throws as `Database.asPlatform`. */
export async function isLiveKey(database: Database, keyId: string): Promise<boolean> {
  const owner = await platformOf(database, "api_key", keyId);
  if (owner === null) return false;
  return database.asPlatform<boolean>(owner, async (tx) => {
    const [key] = await selectKey(tx, keyId);
    return key?.state === "live";
  });
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

/** The look-ups of one key that wait for a result. */
interface Wanted<T> {
  key: Buffer;
  promise: Promise<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
}

/**
 * Combines look-ups. While one call of `load` is in progress, further look-ups queue, and the next call loads up to
 * `max` of them. Look-ups therefore use at most one connection.
 *
 * @param load returns the results in the order of the keys. If it fails, all of its look-ups fail.
 */
function batched<T>(load: (keys: Buffer[]) => Promise<T[]>, max: number): (key: Buffer) => Promise<T> {
  const waiting = new Map<string, Wanted<T>>();
  let active = false;

  async function loadAll(): Promise<void> {
    active = true;
    while (waiting.size > 0) await loadNext([...waiting].slice(0, max));
    active = false;
  }

  async function loadNext(entries: [string, Wanted<T>][]): Promise<void> {
    for (const [name] of entries) waiting.delete(name);
    try {
      const results = await load(entries.map(([, { key }]) => key));
      for (const [index, [, { resolve }]] of entries.entries()) resolve(results[index] as T);
    } catch (error) {
      for (const [, { reject }] of entries) reject(error);
    }
  }

  return (key) => {
    const name = key.toString("latin1");
    const known = waiting.get(name);
    if (known) return known.promise;
    const wanted = { key, ...Promise.withResolvers<T>() };
    waiting.set(name, wanted);
    if (!active) void loadAll();
    return wanted.promise;
  };
}
