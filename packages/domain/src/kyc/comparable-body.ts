import { normalizeEmail } from "../identity/identifier.ts";
import { withoutSignature } from "./presigned-url.ts";
import type { KycSubmission } from "./submission.ts";
import { withFileUrls } from "./submission-files.ts";

/**
 * Normalizes a body for comparison (G16): texts in Unicode NFC, supporting documents sorted, file URLs without the
 * parameters of their signatures. The memberId is compared exactly.
 */
export function comparableBody(submission: KycSubmission): KycSubmission {
  const { supportingDocuments, ...fields } = withFileUrls(submission, withoutSignature);
  const texts = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === "string" ? value.normalize("NFC") : value,
  ]);
  return {
    ...(Object.fromEntries(texts) as typeof fields),
    memberId: submission.memberId,
    email: normalizeEmail(submission.email),
    ...(supportingDocuments && { supportingDocuments: sorted(supportingDocuments) }),
  };
}

type SupportingDocuments = NonNullable<KycSubmission["supportingDocuments"]>;

function sorted(documents: SupportingDocuments): SupportingDocuments {
  const key = ({ documentType, fileUrl }: SupportingDocuments[number]) => `${documentType} ${fileUrl}`;
  return documents
    .map(({ documentType, fileUrl }) => ({ documentType, fileUrl: fileUrl.normalize("NFC") }))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
