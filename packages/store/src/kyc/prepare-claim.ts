import type { ClaimRequest } from "@cardbridge/domain";
import { createDataKey } from "../sealing/data-key.ts";
import { fingerprint } from "../sealing/fingerprint.ts";
import type { PersonalDataKeys } from "../sealing/keys.ts";
import { userColumns } from "../sealing/user-columns.ts";
import { bodyFingerprint } from "./body-fingerprint.ts";

/** A claim with everything that is computed before its transaction. */
export type PreparedClaim = ReturnType<typeof prepareClaim>;

interface ClaimContext {
  keys: PersonalDataKeys;
  /** How long the first attempt owns the record, as an interval. */
  lease: string;
}

/** The data key and the user's columns are stored only if the user is new, which the insert decides. */
export function prepareClaim(platformId: string, request: ClaimRequest, { keys, lease }: ClaimContext) {
  const { submission, externalUserId, idempotencyKey, by, maxUnsent } = request;
  const dataKey = createDataKey();
  return {
    platformId,
    request,
    keys,
    /** Null for a record that no attempt owns yet. */
    lease: maxUnsent === undefined ? lease : null,
    dataKey,
    user: userColumns(keys, { platformId, userId: externalUserId }, submission, dataKey),
    ...bodyFingerprint(submission, keys.fingerprints),
    /** The Idempotency-Key as it is stored; undefined without one. */
    key:
      idempotencyKey === undefined
        ? undefined
        : { platformId, operation: by.operation, keyHash: fingerprint(idempotencyKey, keys.fingerprints) },
  };
}
