import { ExternalFileError, Failure, type ProviderFiles } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

export interface FilePorts {
  files: Pick<Ports["files"], "read">;
  fileUrls: Pick<Ports["fileUrls"], "fileIdOf" | "signed">;
  externalFiles?: Ports["externalFiles"];
}

/** The files of a platform's submissions, for the provider. URLs are signed on request, because they expire. */
export function submissionFiles(
  { files, fileUrls, externalFiles }: FilePorts,
  platformId: string,
): ProviderFiles {
  return {
    url: fileUrls.signed,
    async open(fileUrl) {
      const fileId = fileUrls.fileIdOf(fileUrl);
      if (fileId === undefined) {
        if (!externalFiles) throw new ExternalFileError("not-allowed");
        return externalFiles.read(fileUrl);
      }
      const file = fileId === null ? null : await files.read(platformId, fileId);
      if (!file) throw new Failure("FILE_NOT_FOUND");
      return new Blob([new Uint8Array(file.bytes)], { type: file.contentType });
    },
  };
}
