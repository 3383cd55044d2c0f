import { comparableBody, type KycSubmission } from "@cardbridge/domain";
import { fingerprint } from "../encryption/fingerprint.ts";

/**
 * The keyed hash that the provider keeps with a submission: of the platform and the submission without the files, which
 * a resend may have uploaded again, and without the memberId, of which nothing leaves the platform.
 */
export function providerFingerprint(platformId: string, submission: KycSubmission, key: Buffer): string {
  const { memberId, frontImageUrl, backImageUrl, selfieImageUrl, supportingDocuments, ...texts } =
    comparableBody(submission);
  return fingerprint({ platformId, texts }, key).toString("base64url");
}
