import { ReasonError } from "@cardbridge/domain";
import { unavailable } from "../database/errors.ts";
import { keyOf, type WrappedKey } from "../encryption/data-key.ts";
import { type AssociatedData, decrypt, encrypt } from "../encryption/encrypt.ts";
import type { KeyRing } from "../encryption/key-ring.ts";

/** A file and its platform. */
export interface FileRef {
  platformId: string;
  fileId: string;
}

/** The key of a file as its row stores it: wrapped under a version of the ring or under its user's data key. */
export interface WrappedFileKey {
  dataKey: Buffer;
  /** Null under a user's data key. */
  keyVersion: number | null;
}

/** A file's key encrypts one blob once, so it has a single version. */
const onlyVersion = 1;

/** Wraps a new file's key under the ring's current version. */
export function wrapByRing(key: Buffer, file: FileRef, ring: KeyRing): WrappedKey {
  const keyVersion = ring.current;
  return { dataKey: encrypt(key, keyOf(ring, keyVersion), keyData(file, keyVersion)), keyVersion };
}

/** Wraps a file's key under its user's data key, so that erasing the user destroys the file too. */
export function wrapByUser(key: Buffer, file: FileRef, userKey: Buffer): WrappedFileKey {
  return { dataKey: encrypt(key, userKey, keyData(file, onlyVersion)), keyVersion: null };
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring cannot decrypt it. */
export function unwrapByRing(dataKey: Buffer, keyVersion: number, file: FileRef, ring: KeyRing): Buffer {
  return decrypt(dataKey, keyOf(ring, keyVersion), keyData(file, keyVersion));
}

/** @throws Failure SERVICE_UNAVAILABLE where the user's data key cannot decrypt it. */
export function unwrapByUser(dataKey: Buffer, file: FileRef, userKey: Buffer): Buffer {
  return decrypt(dataKey, userKey, keyData(file, onlyVersion));
}

/**
 * Wraps a file's key again under the ring's current version.
 * @throws Failure SERVICE_UNAVAILABLE where the ring cannot decrypt it.
 */
export function rewrapFileKey({ dataKey, keyVersion }: WrappedKey, file: FileRef, ring: KeyRing): WrappedKey {
  return wrapByRing(unwrapByRing(dataKey, keyVersion, file, ring), file, ring);
}

export function encryptBlob(bytes: Uint8Array, key: Buffer, file: FileRef): Buffer {
  return encrypt(bytes, key, blobData(file));
}

/**
 * @param encrypted null for a blob that does not exist: its row does, so the blob was lost
 * @throws Failure SERVICE_UNAVAILABLE where the blob was lost, belongs to another file or was changed.
 */
export function decryptBlob(encrypted: Uint8Array | null, key: Uint8Array, file: FileRef): Buffer {
  if (!encrypted) throw unavailable(new ReasonError("blob-missing"));
  return decrypt(encrypted, key, blobData(file));
}

function keyData({ platformId, fileId }: FileRef, keyVersion: number): AssociatedData {
  return { platformId, table: "files", rowId: fileId, keyVersion };
}

function blobData({ platformId, fileId }: FileRef): AssociatedData {
  return { platformId, table: "blobs", rowId: fileId, keyVersion: onlyVersion };
}
