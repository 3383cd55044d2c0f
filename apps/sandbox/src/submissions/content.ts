import { canonicalJson } from "../canonical-json.ts";
import { withoutQuery } from "../files/without-query.ts";
import type { Submission } from "../wire.ts";

/**
 * A text that is equal for submissions with equal content. It omits the fingerprint, and the query and the fragment of
 * file URLs.
 */
export function contentOf({ fingerprint: _, ...submission }: Submission): string {
  const { document, supportingDocuments } = submission;
  return canonicalJson({
    ...submission,
    document: {
      ...document,
      frontImageUrl: withoutQuery(document.frontImageUrl),
      backImageUrl: document.backImageUrl === null ? null : withoutQuery(document.backImageUrl),
      selfieImageUrl: withoutQuery(document.selfieImageUrl),
    },
    supportingDocuments: supportingDocuments.map((file) => ({
      ...file,
      fileUrl: withoutQuery(file.fileUrl),
    })),
  });
}
