import { randomBytes } from "node:crypto";
import { unavailable } from "../database/errors.ts";
import { type AssociatedData, DecryptionError, decrypt, encrypt } from "./encrypt.ts";
import type { KeyRing } from "./key-ring.ts";

/** The user that a data key belongs to. */
export interface Owner {
  platformId: string;
  userId: string;
}

/** A data key as the database stores it: encrypted under the key ring and bound to its owner. */
export interface WrappedKey {
  dataKey: Buffer;
  /** The version of the key ring that wraps it. */
  keyVersion: number;
}

/** Creates the key of one user's data or of one file. Destroying a user's key erases the user's data. */
export function createDataKey(): Buffer {
  return randomBytes(32);
}

/** Wraps a data key under the ring's current version. */
export function wrapDataKey(dataKey: Buffer, owner: Owner, ring: KeyRing): WrappedKey {
  const keyVersion = ring.current;
  return {
    dataKey: encrypt(dataKey, keyOf(ring, keyVersion), associatedData(owner, keyVersion)),
    keyVersion,
  };
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring lacks the version or has a different key for it. */
export function unwrapDataKey({ dataKey, keyVersion }: WrappedKey, owner: Owner, ring: KeyRing): Buffer {
  return decrypt(dataKey, keyOf(ring, keyVersion), associatedData(owner, keyVersion));
}

/**
 * Wraps a data key again under the ring's current version.
 * @throws Failure SERVICE_UNAVAILABLE where the ring cannot decrypt it.
 */
export function rewrapDataKey(wrapped: WrappedKey, owner: Owner, ring: KeyRing): WrappedKey {
  return wrapDataKey(unwrapDataKey(wrapped, owner, ring), owner, ring);
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring lacks the version. */
export function keyOf({ keys }: KeyRing, version: number): Buffer {
  const key = keys.get(version);
  if (!key) throw unavailable(new DecryptionError("key-version-unknown"));
  return key;
}

function associatedData({ platformId, userId }: Owner, keyVersion: number): AssociatedData {
  return { platformId, table: "users", rowId: userId, keyVersion };
}
