import { createUploadUrlInput, uploadAddress } from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Creates a URL that accepts a file without a key (an extension, gap G24). */
export const createUploadUrl = defineOperation({
  ...forPlatforms,
  id: "files.createUploadUrl",
  kind: "write",
  summary: "Create an upload URL",
  description:
    "Creates a URL that accepts one file of a purpose, within ten minutes. Send the bytes with PUT, also from a web " +
    "page. The response is the same as for an upload.",
  documented: false,
  scopes: ["files:write"],
  input: createUploadUrlInput,
  rules: [],
  output: uploadAddress,
  example: {
    input: { purpose: "selfie" },
    output: {
      uploadUrl: "https://cards.example.com/files/uploads/q7R…",
      expiresAt: "2026-01-31T12:10:00.000Z",
    },
  },
  errors: [],
  audit: [],

  async run({ fileUrls }, { platformId, actor }, { purpose }) {
    const { url, expiresAt } = fileUrls.uploadUrl({ platformId, actor, purpose });
    return { data: { uploadUrl: url, expiresAt: expiresAt.toISOString() } };
  },
});
