import { platformScope } from "@cardbridge/domain";
import { putApiKey, putPlatform } from "@cardbridge/store";
import { hashApiKey, mintApiKey } from "../../src/auth/api-key.ts";

/** Makes a platform with a key of all scopes; returns the key. */
export async function makePlatform(ownerUrl: string, id: string): Promise<string> {
  const key = mintApiKey("test");
  await putPlatform(ownerUrl, { id, name: id });
  await putApiKey(ownerUrl, {
    keyId: `key_${id}`,
    platformId: id,
    name: "faults",
    prefix: key.slice(0, 12),
    hash: hashApiKey(key),
    scopes: platformScope.options,
  });
  return key;
}
