import type { EncryptionKeyVersion, Rewrapped } from "./version.ts";

/** The versions of the key ring, which encrypt the data keys of users, unused files, webhook endpoints and persons. */
export interface EncryptionKeys {
  /** Lists the versions in the ring and those still in use, by number. */
  status(): Promise<Omit<EncryptionKeyVersion, "removable">[]>;
  /**
   * Re-encrypts up to `limit` data keys of users, unused files, webhook endpoints and persons after the cursor `after` under
   * the current version. Each batch has its own transaction.
   * @throws Failure SERVICE_UNAVAILABLE if the configured keys do not match the database.
   */
  rewrap(batch: { after: string; limit: number }): Promise<Rewrapped>;
}
