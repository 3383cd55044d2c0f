import { internalPlatformId, platformScope, type Scope } from "@cardbridge/domain";
import { putApiKey, putPlatform } from "@cardbridge/store";
import { mintKey } from "../../src/api-keys/api-key.ts";

/** Makes a platform with a key of all scopes; returns the key. */
export async function makePlatform(ownerUrl: string, id: string): Promise<string> {
  await putPlatform(ownerUrl, { id, name: id });
  return makeKey(ownerUrl, id, mintKey("test"), platformScope.options);
}

/** Makes a key of an internal app that looks after platforms and keys; returns it. */
export function makeAdminKey(ownerUrl: string): Promise<string> {
  return makeKey(ownerUrl, internalPlatformId, mintKey("int"), ["admin", "cards:read"]);
}

async function makeKey(
  ownerUrl: string,
  platformId: string,
  { key, ...kept }: ReturnType<typeof mintKey>,
  scopes: readonly Scope[],
): Promise<string> {
  await putApiKey(ownerUrl, { keyId: `key_${platformId}`, platformId, name: "faults", scopes, ...kept });
  return key;
}
