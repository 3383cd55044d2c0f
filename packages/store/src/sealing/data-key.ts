import { randomBytes } from "node:crypto";
import { unavailable } from "../failures.ts";
import type { KeyRing } from "./key-ring.ts";
import { CannotOpen, type Home, open, seal } from "./seal.ts";

/** Whose a data key is. */
export interface Owner {
  platformId: string;
  userId: string;
}

/** A data key as it is stored: useless without the key ring, and to anyone but its owner. */
export interface WrappedKey {
  dataKey: Buffer;
  /** The version of the key ring that it is wrapped under. */
  keyVersion: number;
}

/** The key of one user's data. Whoever destroys it has erased them. */
export function mintDataKey(): Buffer {
  return randomBytes(32);
}

/** Wraps a data key under the ring's current version. */
export function wrapDataKey(dataKey: Buffer, owner: Owner, ring: KeyRing): WrappedKey {
  const keyVersion = ring.current;
  return { dataKey: seal(dataKey, keyOf(ring, keyVersion), homeOf(owner, keyVersion)), keyVersion };
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring lacks the version or holds another key under it. */
export function unwrapDataKey({ dataKey, keyVersion }: WrappedKey, owner: Owner, ring: KeyRing): Buffer {
  return open(dataKey, keyOf(ring, keyVersion), homeOf(owner, keyVersion));
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring lacks the version. */
export function keyOf({ keys }: KeyRing, version: number): Buffer {
  const key = keys.get(version);
  if (!key) throw unavailable(new CannotOpen("key-version-unknown"));
  return key;
}

function homeOf({ platformId, userId }: Owner, keyVersion: number): Home {
  return { platformId, table: "users", rowId: userId, keyVersion };
}
