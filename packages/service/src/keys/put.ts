import type { Scope } from "@cardbridge/domain";
import { asOwner } from "../database/as-owner.ts";
import { apiKeys } from "../database/schema.ts";

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

/**
 * Creates an API key, or replaces the key with this keyId. A revoked key stays revoked. Requires the owner's
 * connection.
 */
export function putApiKey(ownerUrl: string, { keyId, platformId, ...key }: ApiKeyDetails): Promise<void> {
  const details = { ...key, scopes: [...key.scopes], expiresAt: key.expiresAt ?? null };
  return asOwner(ownerUrl, platformId, (tx) =>
    tx
      .insert(apiKeys)
      .values({ id: keyId, platformId, ...details })
      .onConflictDoUpdate({ target: apiKeys.id, set: details }),
  );
}
