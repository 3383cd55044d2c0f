import type { Submission } from "../wire.ts";
import { type FileType, fileTypes, imageTypes } from "./file-type.ts";

interface SubmissionFile {
  /** The path of the field in the request, such as `document.frontImageUrl`. */
  readonly field: string;
  readonly url: string;
  readonly allowedTypes: readonly FileType[];
}

/** The files of a submission, in the order of the contract. */
export function filesOf({ document, supportingDocuments }: Submission): SubmissionFile[] {
  const images = (["frontImageUrl", "backImageUrl", "selfieImageUrl"] as const).flatMap((name) => {
    const url = document[name];
    return url === null ? [] : [{ field: `document.${name}`, url, allowedTypes: imageTypes }];
  });
  const others = supportingDocuments.map(({ fileUrl }, index) => ({
    field: `supportingDocuments[${index}].fileUrl`,
    url: fileUrl,
    allowedTypes: fileTypes,
  }));
  return [...images, ...others];
}
