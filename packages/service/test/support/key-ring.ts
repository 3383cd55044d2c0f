import type { KeySet } from "../../src/database.ts";
import { createVerifiedKeys } from "../../src/encryption/verified-keys.ts";
import { rewrapEncryptionKeys } from "../../src/encryption-keys/rewrap.ts";
import { encryptionKeysStatus } from "../../src/encryption-keys/status.ts";
import type { Ports } from "../../src/index.ts";
import { operatorCall } from "./calls.ts";

/** The ports of a service with these keys. */
export function withKeys(ports: Ports, keySet: KeySet): Ports {
  return { ...ports, keySet, personalDataKeys: createVerifiedKeys(ports.database, keySet) };
}

/** The operations on the key ring, of a service with these keys. */
export function keyRingOf(ports: Ports, keySet: KeySet) {
  const own = withKeys(ports, keySet);
  return {
    status: async () => (await encryptionKeysStatus.execute(own, operatorCall, {})).data.versions,
    rewrap: async (batch: { after: string; limit: number }) =>
      (await rewrapEncryptionKeys.execute(own, operatorCall, batch)).data,
  };
}
