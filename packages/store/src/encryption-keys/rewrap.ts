import type { Rewrapped } from "@cardbridge/domain";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { users } from "../schema.ts";
import { type Owner, unwrapDataKey, type WrappedKey, wrapDataKey } from "../sealing/data-key.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import { withCommit } from "../transaction.ts";

/** Rewraps the data keys of up to `limit` users behind `after` that are not under the ring's current version. */
export async function rewrapBatch(
  database: Database,
  ring: KeyRing,
  { after, limit }: { after: string; limit: number },
): Promise<Rewrapped> {
  const found = await findToRewrap(database, { current: ring.current, after, limit: limit + 1 });
  const owners = found.slice(0, limit);
  const counts: Counts = { rewrapped: 0, failed: 0 };
  for (const [platformId, userIds] of byPlatform(owners)) {
    const { rewrapped, failed } = await rewrapUsers(database, ring, platformId, userIds);
    counts.rewrapped += rewrapped;
    counts.failed += failed;
  }
  const next = found.length > limit ? (owners.at(-1)?.userId ?? null) : null;
  return { version: ring.current, ...counts, next };
}

type Counts = Pick<Rewrapped, "rewrapped" | "failed">;

/** Searches all platforms and returns ids only, in the order of users' ids. */
async function findToRewrap(
  database: Database,
  { current, after, limit }: { current: number; after: string; limit: number },
): Promise<Owner[]> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ platform_id: string; user_id: string }>(
      sql`select platform_id, user_id from list_users_to_rewrap(${current}, ${after}, ${limit})`,
    ),
  );
  return rows.map((row) => ({ platformId: row.platform_id, userId: row.user_id }));
}

function byPlatform(owners: readonly Owner[]): Map<string, string[]> {
  const platforms = new Map<string, string[]>();
  for (const { platformId, userId } of owners) {
    platforms.set(platformId, [...(platforms.get(platformId) ?? []), userId]);
  }
  return platforms;
}

/** One transaction. It locks users in the same order as claims do, and skips users who were erased meanwhile. */
function rewrapUsers(
  database: Database,
  ring: KeyRing,
  platformId: string,
  userIds: string[],
): Promise<Counts> {
  return database.asPlatform<Counts>(platformId, async (tx) => {
    const locked = await tx
      .select({ userId: users.id, dataKey: users.dataKey, keyVersion: users.keyVersion })
      .from(users)
      .where(and(eq(users.platformId, platformId), inArray(users.id, userIds)))
      .orderBy(asc(users.id))
      .for("no key update");
    const outdated = locked.flatMap(({ userId, dataKey, keyVersion }) =>
      dataKey === null || keyVersion === null || keyVersion === ring.current
        ? []
        : [{ userId, wrapped: { dataKey, keyVersion } }],
    );
    const rewrapped = outdated.flatMap(({ userId, wrapped }) => {
      const columns = rewrap(wrapped, { platformId, userId }, ring);
      return columns ? [{ userId, columns }] : [];
    });
    const updates = rewrapped.map(({ userId, columns }) =>
      tx
        .update(users)
        .set(columns)
        .where(and(eq(users.platformId, platformId), eq(users.id, userId))),
    );
    return withCommit(updates, () => ({
      rewrapped: rewrapped.length,
      failed: outdated.length - rewrapped.length,
    }));
  });
}

/** Null where the ring does not decrypt the key. */
function rewrap(wrapped: WrappedKey, owner: Owner, ring: KeyRing): WrappedKey | null {
  try {
    return wrapDataKey(unwrapDataKey(wrapped, owner, ring), owner, ring);
  } catch {
    return null;
  }
}
