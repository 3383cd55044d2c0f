import { randomFillSync } from "node:crypto";

export const nonceLength = 12;

// Asking the system for 12 bytes takes as long as asking for thousands.
const pool = Buffer.alloc(256 * nonceLength);
let used = pool.length;

/** A random nonce, which counts until the next one is asked for. */
export function nextNonce(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += nonceLength;
  return pool.subarray(used - nonceLength, used);
}
