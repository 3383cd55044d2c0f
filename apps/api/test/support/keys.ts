import { internalPlatformId, type Scope } from "@cardbridge/domain";
import { putApiKey } from "@cardbridge/service/database";
import { generateKey } from "./generate-key.ts";

let made = 0;

/** Creates a key of an internal app, with the owner's connection. */
export async function makeInternalKey(ownerUrl: string, scopes: readonly Scope[]): Promise<string> {
  const { key, prefix, hash } = generateKey("internal");
  made += 1;
  const keyId = `key_internal_${made}`;
  await putApiKey(ownerUrl, { keyId, platformId: internalPlatformId, name: keyId, prefix, hash, scopes });
  return key;
}
