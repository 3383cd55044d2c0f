import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyKind } from "@cardbridge/domain";
import type { MintKey } from "@cardbridge/operations";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 24;
const visibleLength = 4;
const shape = new RegExp(`^cb_(live|test|int)_[0-9A-Za-z]{${secretLength + 6}}$`);

/**
 * An API key is `cb_live_`, `cb_test_` or `cb_int_`, 24 random letters and digits (142 bits), and a checksum
 * of 6 that tells a mistyped key from a real one without a query.
 */
export function mintApiKey(kind: KeyKind): string {
  const secret = Array.from({ length: secretLength }, () => alphabet.charAt(randomInt(alphabet.length)));
  return withChecksum(`cb_${kind}_${secret.join("")}`);
}

/** A new key, and what is kept of it. */
export const mintKey: MintKey = (kind) => {
  const key = mintApiKey(kind);
  return { key, prefix: prefixOf(key), hash: hashApiKey(key) };
};

/** Completes `cb_live_…` and the like and 24 characters to a key. */
export function withChecksum(start: string): string {
  return start + checksum(start);
}

export function isWellFormed(key: string): boolean {
  return shape.test(key) && key.endsWith(checksum(key.slice(0, -6)));
}

/** The start by which people recognise a key: its kind and 4 characters. The rest is 119 random bits. */
export function prefixOf(key: string): string {
  return key.slice(0, key.lastIndexOf("_") + 1 + visibleLength);
}

/** SHA-256, the only form in which a key is stored. A key's own randomness makes a salt needless. */
export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < 6; i += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
