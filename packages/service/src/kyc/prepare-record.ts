import { comparableBody, type RecordRequest } from "@cardbridge/domain";
import { createDataKey } from "../encryption/data-key.ts";
import { fingerprint } from "../encryption/fingerprint.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { userColumns } from "../encryption/user-columns.ts";
import { providerFingerprint } from "./provider-fingerprint.ts";
import type { RestoredIds } from "./restored-execution.ts";

/** A submission with every value that is computed before its transaction. */
export type PreparedRecord = ReturnType<typeof prepareRecord>;

interface CreateContext {
  keys: PersonalDataKeys;
  /** How long the first attempt owns the record, as an interval. */
  lease: string;
  /** The ids of the execution that the submission had before a restore. */
  restored?: RestoredIds | undefined;
}

/** The data key and the user's columns are stored only if the user is new, which the insert decides. */
export function prepareRecord(
  platformId: string,
  requested: RecordRequest,
  { keys, lease, restored }: CreateContext,
) {
  const request = { ...requested, ...restored };
  const { submission, externalUserId, idempotencyKey, by, maxUnsent } = request;
  const dataKey = createDataKey();
  return {
    platformId,
    request,
    keys,
    /** Whether the provider executed the submission already. */
    isRestored: restored !== undefined,
    /** Null for a record that no attempt owns yet. */
    lease: maxUnsent === undefined ? lease : null,
    dataKey,
    user: userColumns(keys, { platformId, userId: externalUserId }, submission, dataKey),
    fingerprint: fingerprint(comparableBody(submission), keys.fingerprints),
    providerFingerprint: providerFingerprint(platformId, submission, keys.fingerprints),
    /** The Idempotency-Key as the database stores it; undefined if the request has none. */
    key:
      idempotencyKey === undefined
        ? undefined
        : { platformId, operation: by.operation, keyHash: fingerprint(idempotencyKey, keys.fingerprints) },
  };
}
