import { randomFillSync } from "node:crypto";

export const nonceLength = 12;

// One system call for 256 nonces takes as long as a call for one.
const pool = Buffer.alloc(256 * nonceLength);
let used = pool.length;

/** A random nonce. The next refill overwrites the buffer: use it immediately. */
export function nextNonce(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += nonceLength;
  return pool.subarray(used - nonceLength, used);
}
