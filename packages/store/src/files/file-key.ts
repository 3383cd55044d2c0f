import { keyOf } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { type Home, open, seal } from "../sealing/seal.ts";

/** A file, and whose it is. */
export interface FileHome {
  platformId: string;
  fileId: string;
}

/** The key of a file as its row has it: with a version of the ring, or under its user's data key. */
export interface FileKey {
  dataKey: Buffer;
  keyVersion: number | null;
}

/** A file's blob is sealed once, under a key that has one version for life. */
const onlyVersion = 1;

/** Wraps a new file's key by the key ring. */
export function wrapByRing(key: Buffer, home: FileHome, { ring }: Keys): FileKey {
  const keyVersion = ring.current;
  return { dataKey: seal(key, keyOf(ring, keyVersion), keyHome(home, keyVersion)), keyVersion };
}

/** Wraps a file's key by the data key of the user who uses it: whoever destroys that destroys the file. */
export function wrapByUser(key: Buffer, home: FileHome, userKey: Buffer): FileKey {
  return { dataKey: seal(key, userKey, keyHome(home, onlyVersion)), keyVersion: null };
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring does not open it. */
export function unwrapByRing(dataKey: Buffer, keyVersion: number, home: FileHome, { ring }: Keys): Buffer {
  return open(dataKey, keyOf(ring, keyVersion), keyHome(home, keyVersion));
}

/** @throws Failure SERVICE_UNAVAILABLE where the user's data key does not open it. */
export function unwrapByUser(dataKey: Buffer, home: FileHome, userKey: Buffer): Buffer {
  return open(dataKey, userKey, keyHome(home, onlyVersion));
}

export function sealBlob(bytes: Uint8Array, key: Buffer, home: FileHome): Buffer {
  return seal(bytes, key, blobHome(home));
}

/** @throws Failure SERVICE_UNAVAILABLE where it is not the blob that was kept. */
export function openBlob(sealed: Buffer, key: Buffer, home: FileHome): Buffer {
  return open(sealed, key, blobHome(home));
}

function keyHome({ platformId, fileId }: FileHome, keyVersion: number): Home {
  return { platformId, table: "files", rowId: fileId, keyVersion };
}

function blobHome({ platformId, fileId }: FileHome): Home {
  return { platformId, table: "blobs", rowId: fileId, keyVersion: onlyVersion };
}
