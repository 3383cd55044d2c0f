import { createHash } from "node:crypto";

/** The SHA-256 of a text, in hex: the same text gives the same ids for ever. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** An id that follows from a name alone, such as `acct_0f3a…` from a reference. */
export function derivedId(prefix: string, name: string): string {
  return `${prefix}_${hashOf(`${prefix}:${name}`).slice(0, 24)}`;
}
