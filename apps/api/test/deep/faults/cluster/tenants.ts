import { internalPlatformId, platformScope, type Scope } from "@cardbridge/domain";
import { putApiKey, putPlatform } from "@cardbridge/store";
import { generateKey } from "../../../support/generate-key.ts";

/** Creates a platform with a key of every scope; returns the key. */
export async function createPlatform(ownerUrl: string, id: string): Promise<string> {
  await putPlatform(ownerUrl, { id, name: id });
  return createKey(ownerUrl, id, generateKey("platform"), platformScope.options);
}

/** Creates the key of an internal app that administers platforms and keys; returns the key. */
export function createAdminKey(ownerUrl: string): Promise<string> {
  return createKey(ownerUrl, internalPlatformId, generateKey("internal"), ["admin", "cards:read"]);
}

async function createKey(
  ownerUrl: string,
  platformId: string,
  { key, ...stored }: ReturnType<typeof generateKey>,
  scopes: readonly Scope[],
): Promise<string> {
  await putApiKey(ownerUrl, { keyId: `key_${platformId}`, platformId, name: "faults", scopes, ...stored });
  return key;
}
