import type { EncryptionKeys } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { createKeyGate } from "../sealing/key-gate.ts";
import type { Keys } from "../sealing/keys.ts";
import { rewrapBatch } from "./rewrap.ts";
import { versionStatus } from "./status.ts";

/** The versions of the key ring; see the port for the contract. `status` works with wrong keys too. */
export function encryptionKeysRepository(database: Database, keys: Keys): EncryptionKeys {
  const keyGate = createKeyGate(database, keys);
  return {
    status: () => versionStatus(database, keys.versions),
    rewrap: async (batch) => rewrapBatch(database, (await keyGate()).ring, batch),
  };
}
