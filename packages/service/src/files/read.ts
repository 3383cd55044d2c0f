import { Failure, fileReference, storedFile } from "@cardbridge/domain";
import { defineOperation } from "../operation/define.ts";

/** Reads a file with a key of its platform or with a signed URL (gap G27). */
export const readFile = defineOperation({
  id: "files.read",
  kind: "read",
  summary: "Read a file",
  description: "Reads a file's bytes, with a key of its platform or with a URL signed for the provider.",
  documented: false,
  actors: ["platform", "internal", "provider"],
  scopes: ["files:write", "kyc:read"],
  platform: true,
  idempotent: false,
  binary: true,
  input: fileReference,
  rules: [],
  output: storedFile,
  example: {
    input: { fileId: "file_01jexample0000000000000000" },
    output: { contentType: "image/jpeg", bytes: new Uint8Array() },
  },
  errors: ["FILE_NOT_FOUND"],
  audit: ["done"],

  async run({ files }, call, { fileId }) {
    // A signed URL identifies the file, but not its platform.
    const platformId = call.kind === "provider" ? await files.platformOf(fileId) : call.platformId;
    const file = platformId === null ? null : await files.read(platformId, fileId);
    if (!file || platformId === null) throw new Failure("FILE_NOT_FOUND");
    return { data: file, subject: fileId, platformId };
  },
});
