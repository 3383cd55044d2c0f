import { createHash } from "node:crypto";
import { exampleSubmission } from "../../src/operations/submit-kyc.example.ts";

export type Submission = typeof exampleSubmission.input;

/** A submission whose every personal field can be found again, wherever it leaks to; `tag` is the sandbox's. */
export function markedSubmission(mark: string, tag: string): Submission {
  const image = (name: string) => `https://files.example.com/${name}-${mark}.jpg`;
  return {
    ...exampleSubmission.input,
    memberId: `MEMBER-${mark}`,
    email: `Mail.${mark}+${tag}@example.com`,
    name: `Name ${mark}`,
    documentNumber: `DOC${mark}`,
    phoneNumber: String(BigInt(`0x${mark}`))
      .padStart(8, "0")
      .slice(-12),
    contactAddress: `${mark} Street`,
    frontImageUrl: image("front"),
    selfieImageUrl: image("selfie"),
    supportingDocuments: [{ documentType: "BANK_STATEMENT", fileUrl: image("statement") }],
  };
}

/** What must not be found in a log of the service. */
export function personalData(submission: Submission): string[] {
  const { memberId, email, name, documentNumber, phoneNumber, contactAddress, frontImageUrl } = submission;
  return [memberId, email, name, documentNumber, phoneNumber, contactAddress, frontImageUrl];
}

/** What must not be found in anything that the provider was sent: the member id, as it is or made into another form. */
export function formsOf(memberId: string): string[] {
  const hashes = ["md5", "sha1", "sha256"].flatMap((name) => {
    const hash = createHash(name).update(memberId).digest();
    return [hash.toString("hex"), hash.toString("base64"), hash.toString("base64url")];
  });
  const bytes = Buffer.from(memberId);
  const plain = [memberId, memberId.toLowerCase(), [...memberId].reverse().join("")];
  return [...plain, bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url"), ...hashes];
}
