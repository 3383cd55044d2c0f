import { Failure, ForeignFileError, type ProviderFiles } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

export interface FilePorts {
  files: Pick<Ports["files"], "read">;
  fileUrls: Pick<Ports["fileUrls"], "fileIdOf" | "signed">;
  foreignFiles?: Ports["foreignFiles"];
}

/** The files of a platform's submissions, for the provider. URLs are signed when asked for, because they expire. */
export function submissionFiles(
  { files, fileUrls, foreignFiles }: FilePorts,
  platformId: string,
): ProviderFiles {
  return {
    url: fileUrls.signed,
    async open(fileUrl) {
      const fileId = fileUrls.fileIdOf(fileUrl);
      if (fileId === undefined) {
        if (!foreignFiles) throw new ForeignFileError("not-allowed");
        return foreignFiles.read(fileUrl);
      }
      const file = fileId === null ? null : await files.read(platformId, fileId);
      if (!file) throw new Failure("FILE_NOT_FOUND");
      return new Blob([new Uint8Array(file.bytes)], { type: file.contentType });
    },
  };
}
