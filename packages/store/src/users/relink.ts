import { Failure, type NewNames, type UserNames } from "@cardbridge/domain";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { isUniqueViolation } from "../failures.ts";
import { users } from "../schema.ts";
import { type Owner, unwrapDataKey } from "../sealing/data-key.ts";
import type { PersonalDataKeys } from "../sealing/keys.ts";
import { unsealData } from "../sealing/personal-data.ts";
import { userColumns } from "../sealing/user-columns.ts";
import { withCommit } from "../transaction.ts";

/**
 * Changes a user's names and keeps the data key. False where the platform has no such user, or erased them.
 * @throws Failure USER_IDENTITY_CONFLICT where another user has one of the names.
 */
export async function relinkUser(
  database: Database,
  keys: PersonalDataKeys,
  owner: Owner,
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
      const row = { platformId, table: "users", rowId: userId } as const;
      const old = unsealData<UserNames>(user.sealed, dataKey, row);
      const names = { memberId: memberId ?? old.memberId, email: email ?? old.email };
      const { sealed, memberIdIndex, emailIndex } = userColumns(keys, owner, names, dataKey);
      const relink = sql`select relink_user(${userId}, ${sealed}, ${memberIdIndex}, ${emailIndex})`;
      return withCommit([tx.execute(relink)], () => true);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Failure("USER_IDENTITY_CONFLICT", { audit: { platformId, subject: userId } });
  }
}
