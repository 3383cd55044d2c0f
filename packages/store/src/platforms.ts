import type { Scope } from "@cardbridge/domain";
import { and, eq, isNull } from "drizzle-orm";
import { withConnection } from "./connect.ts";
import { apiKeys, platforms, users } from "./schema.ts";
import { mintDataKey, unwrapDataKey } from "./sealing/data-key.ts";
import type { Keys } from "./sealing/keys.ts";
import { findKeyProblems, WrongKeys } from "./sealing/known-keys.ts";
import { sealUser } from "./sealing/user.ts";
import type { Tx } from "./statements.ts";
import { transaction } from "./transaction.ts";

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

/** Makes a platform, or renames it. Like all of this file it needs the owner's connection. */
export function putPlatform(ownerUrl: string, { id, name }: { id: string; name: string }): Promise<void> {
  return asOwner(ownerUrl, id, (tx) =>
    tx.insert(platforms).values({ id, name }).onConflictDoUpdate({ target: platforms.id, set: { name } }),
  );
}

/** Makes an API key, or replaces the one with this keyId; a revoked key stays revoked. */
export function putApiKey(ownerUrl: string, { keyId, platformId, ...given }: ApiKeyDetails): Promise<void> {
  const details = { ...given, scopes: [...given.scopes], expiresAt: given.expiresAt ?? null };
  return asOwner(ownerUrl, platformId, (tx) =>
    tx
      .insert(apiKeys)
      .values({ id: keyId, platformId, ...details })
      .onConflictDoUpdate({ target: apiKeys.id, set: details }),
  );
}

/**
 * Makes a user, or gives the one with this externalUserId another member id and e-mail; an erased user stays
 * erased.
 * @throws WrongKeys when the database was used with other keys.
 */
export function putUser(
  ownerUrl: string,
  { externalUserId: id, platformId, ...names }: UserDetails,
  keys: Keys,
): Promise<void> {
  return asOwner(ownerUrl, platformId, async (tx) => {
    const problems = await findKeyProblems(tx, keys);
    if (problems.length > 0) throw new WrongKeys(problems);
    const owner = { platformId, userId: id };
    // What is sealed already has to be opened with the same key.
    const [known] = await tx
      .select({ dataKey: users.dataKey, keyVersion: users.keyVersion })
      .from(users)
      .where(and(eq(users.platformId, platformId), eq(users.id, id)))
      .for("no key update");
    const { dataKey, keyVersion } = known ?? {};
    const kept = dataKey && keyVersion ? unwrapDataKey({ dataKey, keyVersion }, owner, keys.ring) : null;
    const columns = sealUser(keys, owner, names, kept ?? mintDataKey());
    await tx
      .insert(users)
      .values({ id, platformId, ...columns })
      .onConflictDoUpdate({ target: users.id, set: columns, setWhere: isNull(users.erasedAt) });
  });
}

/** Row-level security holds an owner too, unless it is a superuser: the platform has to be set. */
async function asOwner(ownerUrl: string, platformId: string, write: (tx: Tx) => PromiseLike<unknown>) {
  await withConnection(ownerUrl, (client) => transaction(client, platformId, async (tx) => write(tx)));
}
