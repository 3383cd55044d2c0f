import { comparableBody, type KycSubmission, type RecordRequest } from "@cardbridge/domain";
import { createDataKey } from "../encryption/data-key.ts";
import { fingerprint } from "../encryption/fingerprint.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { userColumns } from "../encryption/user-columns.ts";

/**
 * The provider executed this submission before the database was restored (G40). The record gets the ids of that
 * execution, so that the provider repeats its result.
 */
export class RestoredExecution extends Error {
  override readonly name = "RestoredExecution";
  readonly ids: RestoredIds;

  constructor(ids: RestoredIds) {
    super();
    this.ids = ids;
  }
}

/** A submission with every value that is computed before its transaction. */
export type PreparedRecord = ReturnType<typeof prepareRecord>;

interface CreateContext {
  keys: PersonalDataKeys;
  /** How long the first attempt owns the record, as an interval. */
  lease: string;
  /** How long after the lease began that attempt may send. */
  sendWithinMs: number;
  /** The ids of the execution that the submission had before a restore. */
  restored?: RestoredIds | undefined;
}

/** The data key and the user's columns are stored only if the user is new, which the insert decides. */
export function prepareRecord(
  platformId: string,
  requested: RecordRequest,
  { keys, lease, sendWithinMs, restored }: CreateContext,
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
    // The lease begins later, in the transaction.
    sendBefore: performance.now() + sendWithinMs,
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

/**
 * The keyed hash that the provider keeps with a submission: of the platform and the submission without the files, which
 * a resend may have uploaded again, and without the memberId, of which nothing leaves the platform.
 */
export function providerFingerprint(platformId: string, submission: KycSubmission, key: Buffer): string {
  const { memberId, frontImageUrl, backImageUrl, selfieImageUrl, supportingDocuments, ...texts } =
    comparableBody(submission);
  return fingerprint({ platformId, texts }, key).toString("base64url");
}

/** The ids of an execution that a restored database forgot. */
export interface RestoredIds {
  kycRecordId: string;
  externalUserId: string;
}
