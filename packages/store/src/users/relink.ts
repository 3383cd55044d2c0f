import { Failure, type NewNames, type UserNames } from "@cardbridge/domain";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { isUniqueViolation } from "../failures.ts";
import { users } from "../schema.ts";
import { unwrapDataKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { openData } from "../sealing/personal-data.ts";
import { sealUser } from "../sealing/user.ts";
import { withCommit } from "../transaction.ts";

/**
 * Gives a user other names, sealed under the data key that they have. False where the platform has no such
 * user, or erased it. Keys have to have passed.
 * @throws Failure USER_IDENTITY_CONFLICT where another user has one of them.
 */
export async function relinkUser(
  database: Database,
  keys: Keys,
  owner: { platformId: string; userId: string },
  { memberId, email }: NewNames,
): Promise<boolean> {
  const { platformId, userId } = owner;
  try {
    return await database.asPlatform<boolean>(platformId, async (tx) => {
      const [user] = await tx
        .select({
          sealed: sql<Buffer>`${users.sealed}`,
          dataKey: sql<Buffer>`${users.dataKey}`,
          keyVersion: sql<number>`${users.keyVersion}`,
        })
        .from(users)
        .where(and(eq(users.platformId, platformId), eq(users.id, userId), isNull(users.erasedAt)))
        .for("no key update");
      if (!user) return false;
      const dataKey = unwrapDataKey(user, owner, keys.ring);
      const old = openData<UserNames>(user.sealed, dataKey, { platformId, table: "users", rowId: userId });
      const names = { memberId: memberId ?? old.memberId, email: email ?? old.email };
      const { sealed, memberIdIndex, emailIndex } = sealUser(keys, owner, names, dataKey);
      const relink = sql`select relink_user(${userId}, ${sealed}, ${memberIdIndex}, ${emailIndex})`;
      return withCommit([tx.execute(relink)], () => true);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Failure("USER_IDENTITY_CONFLICT", { about: { platformId, subject: userId } });
  }
}
