import type { FilePurpose } from "../files/file.ts";
import type { KycSubmission } from "./submission.ts";

/** The fields of a submission that are URLs of files, and what each file is for. */
export const fileFields = {
  frontImageUrl: "document_front",
  backImageUrl: "document_back",
  selfieImageUrl: "selfie",
} as const satisfies Partial<Record<keyof KycSubmission, FilePurpose>>;

const names = Object.keys(fileFields) as (keyof typeof fileFields)[];

type WithFiles = Pick<KycSubmission, keyof typeof fileFields | "supportingDocuments">;

/** A file that a submission names. */
export interface NamedFile {
  url: string;
  purpose: FilePurpose;
  path: (string | number)[];
}

/** Every file that a submission names, field by field. */
export function filesOf(submission: WithFiles): NamedFile[] {
  const documents = submission.supportingDocuments ?? [];
  return [
    ...names.flatMap((name) => {
      const url = submission[name];
      return url === undefined ? [] : [{ url, purpose: fileFields[name], path: [name] }];
    }),
    ...documents.map(({ fileUrl: url }, index) => ({
      url,
      purpose: "supporting_document" as const,
      path: ["supportingDocuments", index, "fileUrl"],
    })),
  ];
}

/** The same submission with other URLs of its files. */
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
