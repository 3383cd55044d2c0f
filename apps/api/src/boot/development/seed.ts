import { internalPlatformId, operatorScope, platformScope } from "@cardbridge/domain";
import { type KeySet, putApiKey, putPlatform, putUser, WrongKeys } from "@cardbridge/service/database";
import { demoKeys, hashApiKey, prefixOf } from "../../admission/api-key.ts";
import { StartError } from "../../process/start-error.ts";
import { demoCards, demoPlatforms } from "./demo-data.ts";

/**
 * Inserts the demo platforms, their keys and users, and the keys of internal apps into the embedded database. Idempotent.
 * @throws StartError if the database was used with other keys for personal data.
 */
export async function seedDatabase(ownerUrl: string, keys: KeySet): Promise<void> {
  for (const { id, name, key, keyId, scopes, users } of demoPlatforms) {
    await putPlatform(ownerUrl, { id, name });
    const prefix = prefixOf(key);
    await putApiKey(ownerUrl, { keyId, platformId: id, name: "demo", prefix, hash: hashApiKey(key), scopes });
    for (const { cards: _cards, ...user } of users) {
      await putUser(ownerUrl, { platformId: id, ...user }, keys).catch((error: unknown) => {
        throw error instanceof WrongKeys ? new StartError(error) : error;
      });
    }
  }
  for (const [name, scopes] of [
    ["app", platformScope.options],
    ["console", operatorScope.options],
  ] as const) {
    const [prefix, hash] = [prefixOf(demoKeys[name]), hashApiKey(demoKeys[name])];
    const key = { keyId: `key_demo_${name}`, name: `${name} (demo)`, prefix, hash, scopes };
    await putApiKey(ownerUrl, { ...key, platformId: internalPlatformId });
  }
}

/** Creates the demo cards in the sandbox. Idempotent. */
export async function seedSandbox(url: string): Promise<void> {
  const response = await fetch(`${url}/_cards`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ cards: demoCards }),
  });
  if (!response.ok) throw new Error(`The sandbox refused the demo cards (${response.status}).`);
}
