import { createHmac } from "node:crypto";
import { normalizeEmail, type UserIdentifier } from "@cardbridge/domain";
import type { PersonalDataKeys } from "./keys.ts";
import { lengthPrefixed } from "./length-prefixed.ts";

/**
 * The blind index that a user is found by: HMAC-SHA256 of the platform and one of the user's names. Equal names
 * have equal indexes on one platform only. Without the key an index does not reveal a name.
 */
export function blindIndex(
  { indexes }: Pick<PersonalDataKeys, "indexes">,
  platformId: string,
  identifier: UserIdentifier,
): Buffer {
  const [kind, value] =
    "email" in identifier
      ? (["email", normalizeEmail(identifier.email)] as const)
      : (["memberId", identifier.memberId] as const);
  return createHmac("sha256", indexes)
    .update(lengthPrefixed(platformId, kind, value))
    .digest();
}

/** True if both users have the name, and it is the same. */
export function isEqualIndex(one: Buffer | null, other: Buffer | null): boolean {
  return one !== null && other !== null && one.equals(other);
}
