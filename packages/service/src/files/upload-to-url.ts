import { uploadedFile, uploadToUrlInput } from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { findKept } from "./keep.ts";
import { readSent, storeUpload, toUploadedFile, uploadFile } from "./upload.ts";

/**
 * Uploads a file to an upload URL, which accepts one file (gap G19). The URL is used when the file is stored completely:
 * after an interrupted upload it can be used again, and after a lost response the same bytes get the first result.
 */
export const uploadToUrl = defineOperation({
  ...forPlatforms,
  id: "files.uploadToUrl",
  kind: "write",
  binary: true,
  summary: "Upload a file to an upload URL",
  description:
    "Uploads the file that an upload URL accepts. The same bytes get the result of the first upload.",
  documented: false,
  scopes: ["files:write"],
  input: uploadToUrlInput,
  rules: [],
  output: uploadedFile,
  example: {
    input: { uploadId: "q7R…", ...uploadFile.example.input },
    output: uploadFile.example.output,
  },
  errors: [...uploadFile.errors, "UPLOAD_URL_USED"],
  // A repeated upload is audited too: the entry of the first one may be missing.
  audit: ["done", "replayed"],

  async run(ports, call, { uploadId, ...input }) {
    const sent = await readSent(input);
    const use = { uploadId, sha256: sent.sha256 };
    const fileId = ports.ids.fileId();
    const first = await findKept(ports, call.platformId, use);
    const kept = first ?? (await storeUpload(ports, call, fileId, sent, use));
    const replayed = kept.fileId !== fileId;
    return { data: toUploadedFile(ports, kept, sent), subject: kept.fileId, replayed };
  },
});
