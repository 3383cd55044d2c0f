import { comparableBody, type KycSubmission, normalizeEmail } from "@cardbridge/domain";
import { fingerprint } from "../encryption/fingerprint.ts";

/** The fingerprint of a body, and how it is compared with a stored one. */
export interface BodyFingerprint {
  fingerprint: Buffer;
  /** Whether a stored fingerprint is that of an equal body. */
  isEqualBody(stored: Buffer): boolean;
}

/**
 * Fingerprints a body in its comparable form. Version 0.1.0 took the body as it was sent, so a record of that version is
 * also equal to the same body as sent. For most bodies both fingerprints are the same.
 */
export function bodyFingerprint(submission: KycSubmission, key: Buffer): BodyFingerprint {
  const current = fingerprint(comparableBody(submission), key);
  const asSent = () => fingerprint({ ...submission, email: normalizeEmail(submission.email) }, key);
  return {
    fingerprint: current,
    isEqualBody: (stored) => current.equals(stored) || asSent().equals(stored),
  };
}
