import { type FileType, fileTypes, imageTypes } from "./file-type.ts";
import type { Submission } from "./wire.ts";

interface File {
  /** Where it stands in the body, such as `document.frontImageUrl`. */
  readonly field: string;
  readonly url: string;
  /** What it may be. */
  readonly types: readonly FileType[];
}

/** The files of a submission, in the order of the contract. */
export function filesOf({ document, supportingDocuments }: Submission): File[] {
  const images = (["frontImageUrl", "backImageUrl", "selfieImageUrl"] as const).flatMap((name) => {
    const url = document[name];
    return url === null ? [] : [{ field: `document.${name}`, url, types: imageTypes }];
  });
  const others = supportingDocuments.map(({ fileUrl }, index) => ({
    field: `supportingDocuments[${index}].fileUrl`,
    url: fileUrl,
    types: fileTypes,
  }));
  return [...images, ...others];
}
