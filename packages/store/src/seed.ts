import type { Scope } from "@cardbridge/domain";
import { and, eq, isNull } from "drizzle-orm";
import { withConnection } from "./connect.ts";
import { apiKeys, platforms, users } from "./schema.ts";
import { createDataKey, unwrapDataKey } from "./sealing/data-key.ts";
import type { Keys } from "./sealing/keys.ts";
import { userColumns } from "./sealing/user-columns.ts";
import type { Tx } from "./statements.ts";
import { transaction } from "./transaction.ts";

/* Seeds a database for development and tests. Every function needs the owner's connection. */

export interface ApiKeyDetails {
  platformId: string;
  keyId: string;
  name: string;
  /** The visible start of the key. */
  prefix: string;
  /** SHA-256 of the whole key. */
  hash: Buffer;
  scopes: readonly Scope[];
  expiresAt?: Date | undefined;
}

export interface UserDetails {
  platformId: string;
  externalUserId: string;
  memberId: string;
  email: string;
}

/** Creates or renames a platform. */
export function putPlatform(ownerUrl: string, { id, name }: { id: string; name: string }): Promise<void> {
  return asOwner(ownerUrl, id, (tx) =>
    tx.insert(platforms).values({ id, name }).onConflictDoUpdate({ target: platforms.id, set: { name } }),
  );
}

/** Creates an API key, or replaces the one with this keyId; a revoked key stays revoked. */
export function putApiKey(ownerUrl: string, { keyId, platformId, ...key }: ApiKeyDetails): Promise<void> {
  const details = { ...key, scopes: [...key.scopes], expiresAt: key.expiresAt ?? null };
  return asOwner(ownerUrl, platformId, (tx) =>
    tx
      .insert(apiKeys)
      .values({ id: keyId, platformId, ...details })
      .onConflictDoUpdate({ target: apiKeys.id, set: details }),
  );
}

/**
 * Creates a user, or changes the member id and e-mail of the one with this externalUserId; an erased user stays
 * erased.
 * @throws WrongKeys when the database was used with other keys.
 */
export function putUser(
  ownerUrl: string,
  { externalUserId: id, platformId, ...names }: UserDetails,
  keys: Keys,
): Promise<void> {
  return asOwner(ownerUrl, platformId, async (tx) => {
    const personalDataKeys = await keys.personalData(tx);
    const owner = { platformId, userId: id };
    // The user's records are encrypted under the existing data key, so the user keeps it.
    const [existing] = await tx
      .select({ dataKey: users.dataKey, keyVersion: users.keyVersion })
      .from(users)
      .where(and(eq(users.platformId, platformId), eq(users.id, id)))
      .for("no key update");
    const { dataKey, keyVersion } = existing ?? {};
    const key =
      dataKey && keyVersion ? unwrapDataKey({ dataKey, keyVersion }, owner, personalDataKeys.ring) : null;
    const columns = userColumns(personalDataKeys, owner, names, key ?? createDataKey());
    await tx
      .insert(users)
      .values({ id, platformId, ...columns })
      .onConflictDoUpdate({ target: users.id, set: columns, setWhere: isNull(users.erasedAt) });
  });
}

/** Row-level security applies to the tables' owner too, so the transaction names the platform. */
async function asOwner(ownerUrl: string, platformId: string, write: (tx: Tx) => PromiseLike<unknown>) {
  await withConnection(ownerUrl, (client) => transaction(client, platformId, async (tx) => write(tx)));
}
