import { createHmac } from "node:crypto";
import { normalizeEmail, type UserIdentifier } from "@cardbridge/domain";
import type { PersonalDataKeys } from "./keys.ts";
import { lengthPrefixed } from "./length-prefixed.ts";

/**
 * The blind index that finds a user: HMAC-SHA256 of the platform and the user's member id or e-mail. Equal names have
 * equal indexes on one platform only. Without the key, an index does not reveal the name.
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

/** True if both users have this name and it is the same. */
export function isEqualIndex(one: Buffer | null, other: Buffer | null): boolean {
  return one !== null && other !== null && one.equals(other);
}
