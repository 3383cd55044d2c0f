import type { EncryptionKeys } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { versionStatus } from "./count-versions.ts";
import { rewrapBatch } from "./rewrap-batch.ts";

/** The versions of the key ring; see the port for the contract. `status` works with wrong keys too. */
export function encryptionKeysRepository(database: Database, keys: KeySet): EncryptionKeys {
  const verifiedKeys = createVerifiedKeys(database, keys);
  return {
    status: () => versionStatus(database, keys.versions),
    rewrap: async (batch) => rewrapBatch(database, (await verifiedKeys()).ring, batch),
  };
}
