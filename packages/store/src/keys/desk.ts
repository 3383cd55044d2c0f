import { Failure, type KeyAdmin, type KeyFacts, type NewKey } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import type { Database } from "../database.ts";
import { apiKeys, keyColumns, platforms } from "../schema.ts";
import type { Tx } from "../statements.ts";
import { withCommit } from "../transaction.ts";
import { facts } from "./facts.ts";

/** The table of keys to whoever makes one: drizzle's insert would name its other columns too, which are not ours. */
const newKeys = pgTable("api_keys", keyColumns());

/** What people and internal apps do with API keys; see the port for the contract. */
export function keyAdmin(database: Database): KeyAdmin {
  return {
    list: ({ platformId = null, limit }) =>
      database.withoutPlatform((tx) =>
        tx.select(facts).from(sql`list_api_keys(${platformId}::text, ${limit}::integer)`),
      ),

    async show(keyId) {
      const platformId = await platformOf(database, keyId);
      if (platformId === null) return null;
      return database.asPlatform(platformId, async (tx) => (await factsOf(tx, keyId))[0] ?? null);
    },

    create: (platformId, key) =>
      database.asPlatform<KeyFacts>(platformId, async (tx) => {
        await lockKeys(tx, platformId);
        if ((await liveOnes(tx, key.name)).length > 0) {
          throw conflict(
            "name",
            "A live key of this platform has this name: rotate it, or choose another one.",
          );
        }
        return withCommit([insert(tx, platformId, key)], ([rows]) => theKey(rows));
      }),

    async rotate(keyId, successor, overlapHours) {
      const platformId = await platformOf(database, keyId);
      if (platformId === null) throw new Failure("KEY_NOT_FOUND");
      return database.asPlatform<Rotated>(platformId, async (tx) => {
        await lockKeys(tx, platformId);
        const live = await liveOnes(tx, successor.name);
        if (!live.includes(keyId)) throw conflict("keyId", "The key is not live any more: make a new one.");
        if (live.length > 1) {
          throw conflict("keyId", "Two live keys have its name: revoke one, or wait until one has expired.");
        }
        const overlap = sql`${overlapHours} * interval '1 hour'`;
        return withCommit(
          [
            insert(tx, platformId, successor),
            tx.execute(sql`select retire_api_key(${keyId}, ${overlap})`),
            factsOf(tx, keyId),
          ],
          ([made, , ended]) => ({ successor: theKey(made), predecessor: theKey(ended) }),
        );
      });
    },

    async revoke(keyId) {
      const platformId = await platformOf(database, keyId);
      if (platformId === null) return null;
      return database.asPlatform<KeyFacts>(platformId, async (tx) => {
        const revoked = tx.execute(sql`select revoke_api_key(${keyId})`);
        return withCommit([revoked, factsOf(tx, keyId)], ([, rows]) => theKey(rows));
      });
    },
  };
}

interface Rotated {
  successor: KeyFacts;
  predecessor: KeyFacts;
}

async function platformOf(database: Database, keyId: string): Promise<string | null> {
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<{ platform_id: string | null }>(
      sql`select platform_of_api_key(${keyId}) as platform_id`,
    );
    return rows[0]?.platform_id ?? null;
  });
}

/** Those who change a platform's keys wait for each other. */
async function lockKeys(tx: Tx, platformId: string): Promise<void> {
  const found = await tx
    .select({ id: platforms.id })
    .from(platforms)
    .where(eq(platforms.id, platformId))
    .for("no key update");
  if (found.length === 0) throw new Failure("PLATFORM_NOT_FOUND");
}

async function liveOnes(tx: Tx, name: string): Promise<string[]> {
  const isLive = eq(facts.state, "live");
  const rows = await tx
    .select({ keyId: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.name, name), isLive));
  return rows.map(({ keyId }) => keyId);
}

function factsOf(tx: Tx, keyId: string) {
  return tx.select(facts).from(apiKeys).where(eq(apiKeys.id, keyId));
}

function insert(tx: Tx, platformId: string, { keyId, expiresAt, ...key }: NewKey) {
  const ends = expiresAt === null ? null : new Date(expiresAt);
  return tx
    .insert(newKeys)
    .values({ ...key, id: keyId, platformId, scopes: [...key.scopes], expiresAt: ends })
    .returning(facts);
}

function theKey([row]: readonly (KeyFacts | undefined)[]): KeyFacts {
  if (!row) throw new Error("The platform has no such key.");
  return row;
}

function conflict(field: string, message: string): Failure {
  return new Failure("KEY_CONFLICT", { violations: [{ path: [field], rule: "live-keys", message }] });
}
