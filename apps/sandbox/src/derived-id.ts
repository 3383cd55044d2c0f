import { createHash } from "node:crypto";

/** The SHA-256 of a text, in hex. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** An id that depends on a name only, such as `acct_0f3a…` for a reference. It is the same after a restart. */
export function derivedId(prefix: string, name: string): string {
  return `${prefix}_${sha256Hex(`${prefix}:${name}`).slice(0, 24)}`;
}

/** The id of the card that an approval of this submission issues. */
export function issuedCardId(reference: string): string {
  return derivedId("card", reference);
}
