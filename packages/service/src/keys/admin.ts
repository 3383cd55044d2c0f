import { Failure, type KeyAdmin, type KeyFacts, type NewKey } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { apiKeys, keyColumns, platforms } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { keyFields } from "./fields.ts";

/** The insertable columns of api_keys. Drizzle's insert lists every column of its table, granted or not. */
const newKeys = pgTable("api_keys", keyColumns());

/** Manages API keys; see the port for the contract. */
export function keyAdmin(database: Database): KeyAdmin {
  return {
    list: ({ platformId = null, state = null, expiresWithinDays, unusedDays, createdBy = null, limit }) =>
      database.withoutPlatform((tx) =>
        tx
          .select(keyFields)
          .from(
            sql`list_api_keys(${platformId}::text, ${state}::text, ${days(expiresWithinDays)}, ${days(unusedDays)}, ${createdBy}::text, ${limit}::integer)`,
          ),
      ),

    async show(keyId) {
      const platformId = await platformOf(database, keyId);
      if (platformId === null) return null;
      return database.asPlatform(platformId, async (tx) => (await selectKey(tx, keyId))[0] ?? null);
    },

    create: (platformId, key) =>
      database.asPlatform<KeyFacts>(platformId, async (tx) => {
        await lockKeys(tx, platformId);
        if ((await findLive(tx, key.name)).length > 0) {
          throw conflict(
            "name",
            "A live key of this platform has this name: rotate it, or choose another name.",
          );
        }
        return pipelineCommit([insert(tx, platformId, key)], ([rows]) => requireRow(rows, "API key"));
      }),

    async rotate(keyId, successor, overlapHours) {
      const platformId = await platformOf(database, keyId);
      if (platformId === null) throw new Failure("KEY_NOT_FOUND");
      return database.asPlatform<Rotated>(platformId, async (tx) => {
        await lockKeys(tx, platformId);
        const live = await findLive(tx, successor.name);
        if (!live.includes(keyId)) throw conflict("keyId", "The key is not live: create a new one.");
        if (live.length > 1) {
          throw conflict("keyId", "Two live keys have its name: revoke one, or wait until one expires.");
        }
        const overlap = sql`${overlapHours} * interval '1 hour'`;
        return pipelineCommit(
          [
            insert(tx, platformId, successor),
            tx.execute(sql`select retire_api_key(${keyId}, ${overlap})`),
            selectKey(tx, keyId),
          ],
          ([created, , retired]) => ({
            successor: requireRow(created, "API key"),
            predecessor: requireRow(retired, "API key"),
          }),
        );
      });
    },

    async revoke(keyId) {
      const platformId = await platformOf(database, keyId);
      if (platformId === null) return null;
      return database.asPlatform<KeyFacts>(platformId, async (tx) => {
        const revoked = tx.execute(sql`select revoke_api_key(${keyId})`);
        return pipelineCommit([revoked, selectKey(tx, keyId)], ([, rows]) => requireRow(rows, "API key"));
      });
    },
  };
}

/** A number of days as an interval; NULL without one. */
const days = (count: number | undefined) => sql`${count ?? null}::integer * interval '1 day'`;

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

/** Serializes changes of a platform's keys. */
async function lockKeys(tx: Tx, platformId: string): Promise<void> {
  const found = await tx
    .select({ id: platforms.id })
    .from(platforms)
    .where(eq(platforms.id, platformId))
    .for("no key update");
  if (found.length === 0) throw new Failure("PLATFORM_NOT_FOUND");
}

async function findLive(tx: Tx, name: string): Promise<string[]> {
  const isLive = eq(keyFields.state, "live");
  const rows = await tx
    .select({ keyId: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.name, name), isLive));
  return rows.map(({ keyId }) => keyId);
}

function selectKey(tx: Tx, keyId: string) {
  return tx.select(keyFields).from(apiKeys).where(eq(apiKeys.id, keyId));
}

function insert(tx: Tx, platformId: string, { keyId, expiresAt, ...key }: NewKey) {
  const expiry = expiresAt === null ? null : new Date(expiresAt);
  return tx
    .insert(newKeys)
    .values({ ...key, id: keyId, platformId, scopes: [...key.scopes], expiresAt: expiry })
    .returning(keyFields);
}

function conflict(field: string, message: string): Failure {
  return new Failure("KEY_CONFLICT", { violations: [{ path: [field], rule: "live-keys", message }] });
}
