import { createHmac } from "node:crypto";
import { normalizeEmail, type UserIdentifier } from "@cardbridge/domain";
import { framed } from "./framed.ts";

/**
 * What a user is found by: HMAC-SHA256 of the platform and one of the user's names. Equal names have equal
 * indexes, on one platform only; without the key nobody can tell whose an index is.
 */
export function blindIndex(key: Buffer, platformId: string, identifier: UserIdentifier): Buffer {
  const [kind, value] =
    "email" in identifier
      ? (["email", normalizeEmail(identifier.email)] as const)
      : (["memberId", identifier.memberId] as const);
  return createHmac("sha256", key)
    .update(framed(platformId, kind, value))
    .digest();
}
