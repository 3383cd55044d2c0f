import { normalizeEmail } from "../identity/identifier.ts";
import type { AnswerFile } from "./document-requests.ts";
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

/** Normalizes the files of an answer to a document request, as `comparableBody` does. */
export function comparableFiles(files: readonly AnswerFile[]): AnswerFile[] {
  return sorted(files.map((file) => ({ ...file, fileUrl: withoutSignature(file.fileUrl) })));
}

function sorted<Document extends AnswerFile>(documents: readonly Document[]): Document[] {
  const key = ({ documentType, fileUrl }: Document) => `${documentType} ${fileUrl}`;
  return documents
    .map(({ fileUrl, ...document }) => ({ ...document, fileUrl: fileUrl.normalize("NFC") }) as Document)
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/* The parameters of two signature schemes. A URL uses a scheme only if it has the scheme's required parameters. */

const azureSas = new Set(
  "sv ss srt sr sp st se sip spr si sig skoid sktid skt ske sks skv saoid suoid scid sdd ses".split(" "),
);
const cloudFront = new Set(["Expires", "Policy", "Signature", "Key-Pair-Id"]);

/**
 * Removes the known parameters of presigned URLs (Amazon, Google, Azure SAS and CloudFront). A new signature for the
 * same file changes only these parameters.
 */
function withoutSignature(url: string): string {
  const [withoutFragment = "", ...fragment] = url.split("#");
  const [base = "", ...query] = withoutFragment.split("?");
  const pairs = query.join("?").split("&");
  const sent = new Set(pairs.map(nameOf));
  const signing = [
    ...(sent.has("sig") && sent.has("sv") ? azureSas : []),
    ...(sent.has("Signature") && sent.has("Key-Pair-Id") ? cloudFront : []),
  ];
  const kept = pairs.filter((pair) => {
    const name = nameOf(pair);
    return !/^X-(?:Amz|Goog)-/.test(name) && !signing.includes(name);
  });
  if (kept.length === pairs.length) return url;
  const rest = kept.length > 0 ? `?${kept.join("&")}` : "";
  return [base + rest, ...fragment].join("#");
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0] ?? "";
}
