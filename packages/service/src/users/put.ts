import type { UserNames } from "@cardbridge/domain";
import { and, eq, isNull } from "drizzle-orm";
import { asOwner } from "../database/as-owner.ts";
import { users } from "../database/schema.ts";
import { createDataKey, unwrapDataKey } from "../encryption/data-key.ts";
import type { KeySet } from "../encryption/keys.ts";
import { userColumns } from "../encryption/user-columns.ts";

export interface UserDetails extends UserNames {
  platformId: string;
  externalUserId: string;
}

/**
 * Creates a user, or changes the member id and e-mail of the user with this externalUserId. An erased user stays
 * erased. Requires the owner's connection.
 * @throws WrongKeys when the database was used with other keys.
 */
export function putUser(
  ownerUrl: string,
  { externalUserId: id, platformId, ...names }: UserDetails,
  keys: KeySet,
): Promise<void> {
  return asOwner(ownerUrl, platformId, async (tx) => {
    const confirmed = await keys.personalData(tx);
    const owner = { platformId, userId: id };
    const [existing] = await tx
      .select({ dataKey: users.dataKey, keyVersion: users.keyVersion })
      .from(users)
      .where(and(eq(users.platformId, platformId), eq(users.id, id)))
      .for("no key update");
    const { dataKey, keyVersion } = existing ?? {};
    // The user's records are encrypted under the existing data key, so the user keeps it.
    const kept = dataKey && keyVersion ? unwrapDataKey({ dataKey, keyVersion }, owner, confirmed.ring) : null;
    const columns = userColumns(confirmed, owner, names, kept ?? createDataKey());
    await tx
      .insert(users)
      .values({ id, platformId, ...columns })
      .onConflictDoUpdate({ target: users.id, set: columns, setWhere: isNull(users.erasedAt) });
  });
}
