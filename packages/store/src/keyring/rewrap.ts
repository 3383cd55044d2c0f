import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { users } from "../schema.ts";
import { type Owner, unwrapDataKey, type WrappedKey, wrapDataKey } from "../sealing/data-key.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import type { Keys } from "../sealing/keys.ts";
import { keyGate } from "../sealing/known-keys.ts";
import { withCommit } from "../transaction.ts";

export interface Rewrapped {
  rewrapped: number;
  /** Keys that the ring does not open: they are left as they are. */
  failed: number;
}

interface Options {
  /** Users of one look; 100 when absent. They are locked while they are rewrapped. */
  batch?: number;
  /** Hears how many there were so far, after every batch. */
  onProgress?(progress: Rewrapped): void;
}

/**
 * Wraps every data key anew that is not under the ring's current version, batch by batch, while the service
 * serves. What was rewrapped stays so: when it is stopped, the next run goes on.
 * @throws Failure SERVICE_UNAVAILABLE where the keys are not the database's, or the database is away.
 */
export async function rewrapDataKeys(
  database: Database,
  keys: Keys,
  { batch = 100, onProgress = () => {} }: Options = {},
): Promise<Rewrapped> {
  await keyGate(database, keys)();
  const { current } = keys.ring;
  const done: Rewrapped = { rewrapped: 0, failed: 0 };
  let found = await findToRewrap(database, { current, after: "", most: batch });
  while (found.length > 0) {
    for (const [platformId, userIds] of byPlatform(found)) {
      const { rewrapped, failed } = await rewrap(database, keys, platformId, userIds);
      done.rewrapped += rewrapped;
      done.failed += failed;
    }
    onProgress({ ...done });
    found = await findToRewrap(database, { current, after: found.at(-1)?.userId ?? "", most: batch });
  }
  return done;
}

interface Found {
  platformId: string;
  userId: string;
}

/** Of all platforms, and by ids alone. */
async function findToRewrap(
  database: Database,
  { current, after, most }: { current: number; after: string; most: number },
): Promise<Found[]> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ platform_id: string; user_id: string }>(
      sql`select platform_id, user_id from list_users_to_rewrap(${current}, ${after}, ${most})`,
    ),
  );
  return rows.map((row) => ({ platformId: row.platform_id, userId: row.user_id }));
}

function byPlatform(found: readonly Found[]): Map<string, string[]> {
  const platforms = new Map<string, string[]>();
  for (const { platformId, userId } of found) {
    platforms.set(platformId, [...(platforms.get(platformId) ?? []), userId]);
  }
  return platforms;
}

/** One transaction, in the order in which claims lock users; who was erased meanwhile has no key any more. */
function rewrap(
  database: Database,
  { ring }: Keys,
  platformId: string,
  userIds: string[],
): Promise<Rewrapped> {
  return database.asPlatform(platformId, async (tx) => {
    const locked = await tx
      .select({ userId: users.id, dataKey: users.dataKey, keyVersion: users.keyVersion })
      .from(users)
      .where(and(eq(users.platformId, platformId), inArray(users.id, userIds)))
      .orderBy(asc(users.id))
      .for("no key update");
    const old = locked.flatMap(({ userId, dataKey, keyVersion }) =>
      dataKey === null || keyVersion === null || keyVersion === ring.current
        ? []
        : [{ userId, wrapped: { dataKey, keyVersion } }],
    );
    const anew = old.flatMap(({ userId, wrapped }) => {
      const columns = wrapAnew(wrapped, { platformId, userId }, ring);
      return columns ? [{ userId, columns }] : [];
    });
    const updates = anew.map(({ userId, columns }) =>
      tx
        .update(users)
        .set(columns)
        .where(and(eq(users.platformId, platformId), eq(users.id, userId))),
    );
    return withCommit(updates, () => ({ rewrapped: anew.length, failed: old.length - anew.length }));
  });
}

function wrapAnew(wrapped: WrappedKey, owner: Owner, ring: KeyRing): WrappedKey | null {
  try {
    return wrapDataKey(unwrapDataKey(wrapped, owner, ring), owner, ring);
  } catch {
    return null;
  }
}
