import { type FileLimits, type FileUse, fileUrl, type NamedFile, type Violation } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

/** The uploads among files, with the provider's limits, and the violations of other URLs of this service. */
export function ownFiles(
  files: readonly NamedFile[],
  fileUrls: Pick<Ports["fileUrls"], "fileIdOf">,
  accepts: FileLimits | undefined,
): { uses: FileUse[]; unknown: Violation[] } {
  const named = files
    .filter(({ url }) => fileUrl.safeParse(url).success)
    .map(({ url, ...file }) => ({ ...file, fileId: fileUrls.fileIdOf(url) }));
  return {
    uses: named.flatMap(({ fileId, ...file }) =>
      fileId ? [{ ...file, fileId, ...(accepts ? { accepts } : {}) }] : [],
    ),
    unknown: named.filter(({ fileId }) => fileId === null).map(unknownFile),
  };
}

function unknownFile({ path }: { path: (string | number)[] }): Violation {
  return { path, rule: "file-unknown", message: "Send the url of an upload unchanged." };
}
