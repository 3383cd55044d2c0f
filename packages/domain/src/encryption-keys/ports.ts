import type { EncryptionKeyVersion, Rewrapped } from "./version.ts";

/** The versions of the key ring, which wrap users' data keys. */
export interface EncryptionKeys {
  /** The versions that the ring has and those in use, by number. */
  status(): Promise<Omit<EncryptionKeyVersion, "removable">[]>;
  /**
   * Wraps the data keys of up to `limit` users behind `after` anew under the current version. Users stay
   * rewrapped when a later batch fails.
   * @throws Failure SERVICE_UNAVAILABLE where the keys are not the database's.
   */
  rewrap(batch: { after: string; limit: number }): Promise<Rewrapped>;
}
