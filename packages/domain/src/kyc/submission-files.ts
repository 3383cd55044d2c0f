import type { FilePurpose } from "../files/file.ts";
import type { RawInput } from "../input/rule.ts";
import type { KycSubmission } from "./submission.ts";

/** The file URLs of a submission and the purpose of each file. */
export const fileFields = {
  frontImageUrl: "document_front",
  backImageUrl: "document_back",
  selfieImageUrl: "selfie",
} as const satisfies Partial<Record<keyof KycSubmission, FilePurpose>>;

const names = Object.keys(fileFields) as (keyof typeof fileFields)[];

type FileField = keyof typeof fileFields | "supportingDocuments";
type WithFiles = Pick<KycSubmission, FileField>;

/** A file URL in a submission. */
export interface NamedFile {
  url: string;
  purpose: FilePurpose;
  path: (string | number)[];
}

/** Lists every file URL of a submission, valid or not. */
export function filesOf(submission: RawInput): NamedFile[] {
  const documents = Array.isArray(submission.supportingDocuments) ? submission.supportingDocuments : [];
  return [
    ...names.map((name) => ({ url: submission[name], purpose: fileFields[name], path: [name] })),
    ...documents.map((document: unknown, index) => ({
      url: (document as { fileUrl?: unknown } | null)?.fileUrl,
      purpose: "supporting_document" as const,
      path: ["supportingDocuments", index, "fileUrl"],
    })),
  ].flatMap(({ url, ...file }) => (typeof url === "string" ? [{ url, ...file }] : []));
}

/** Returns the submission with its file URLs replaced. */
export function withFileUrls<S extends WithFiles>(submission: S, change: (url: string) => string): S {
  const changed = { ...submission };
  for (const name of names) {
    const url = submission[name];
    if (url !== undefined) changed[name] = change(url);
  }
  if (submission.supportingDocuments)
    changed.supportingDocuments = submission.supportingDocuments.map((one) => ({
      ...one,
      fileUrl: change(one.fileUrl),
    }));
  return changed;
}

/** Returns a submission, or the shape of its schema, without the fields that have file URLs. */
export function withoutFiles<S extends Partial<Record<FileField, unknown>>>(
  submission: S,
): Omit<S, FileField> {
  const fields = Object.entries(submission).filter(
    ([name]) => name !== "supportingDocuments" && !Object.hasOwn(fileFields, name),
  );
  return Object.fromEntries(fields) as Omit<S, FileField>;
}
