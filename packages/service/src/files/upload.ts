import {
  type FilePurpose,
  type KeptFile,
  type UploadedFile,
  type UploadUrlUse,
  uploadedFile,
  uploadFileInput,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { type Call, holderOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";

const example: UploadedFile = {
  fileId: "file_01jexample0000000000000000",
  url: "https://cards.example.com/files/file_01jexample0000000000000000",
  purpose: "document_front",
  contentType: "image/jpeg",
  size: 48_213,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  expiresAt: "2026-02-01T12:00:00.000Z",
};

/** Uploads a file for a submission (an extension, gap G24). */
export const uploadFile = defineOperation({
  ...forPlatforms,
  id: "files.upload",
  kind: "write",
  rest: { method: "post", path: "/files", tag: "Files", created: true },
  binary: true,
  summary: "Upload a file",
  description:
    "Uploads an image or, as a supporting document, a PDF. Returns the URL for a KYC submission. Image types: JPEG, PNG " +
    "and WebP. Images are re-encoded without their metadata. " +
    "A file expires after a day unless a submission uses it. Every upload creates a new file, even with equal bytes.",
  documented: false,
  scopes: ["files:write"],
  input: uploadFileInput,
  rules: [],
  output: uploadedFile,
  example: { input: { purpose: "document_front", file: new File(["…"], "front.jpg") }, output: example },
  errors: ["FILE_QUOTA_EXCEEDED", "STORAGE_FULL"],
  audit: ["done"],

  async run(ports, call, input) {
    const sent = await readSent(input);
    const kept = await storeUpload(ports, call, ports.ids.fileId(), sent);
    return { data: toUploadedFile(ports, kept, sent), subject: kept.fileId };
  },
});

/** The bytes of an upload. */
interface SentFile {
  purpose: FilePurpose;
  bytes: Uint8Array;
  /** In hexadecimal. */
  sha256: string;
}

/** Reads the bytes of an upload. */
export async function readSent({ purpose, file }: { purpose: FilePurpose; file: File }): Promise<SentFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return { purpose, bytes, sha256: Buffer.from(digest).toString("hex") };
}

/**
 * Inspects an upload and stores it. With `use`, the result can be the file that used the upload URL before.
 * @throws Failure INVALID_INPUT for the file, and the failures of `Files.keep`.
 */
export async function storeUpload(
  { ids, inspector, files }: Pick<Ports, "ids" | "inspector" | "files">,
  call: Call,
  fileId: string,
  { purpose, bytes }: SentFile,
  use?: UploadUrlUse,
): Promise<KeptFile> {
  const inspected = await inspector.inspect(bytes, purpose, holderOf(call));
  const file = { fileId, blobName: ids.blobName(), ...inspected, purpose };
  return files.keep(call.platformId, file, use);
}

/** Describes a stored upload to the caller. */
export function toUploadedFile(
  { fileUrls }: Pick<Ports, "fileUrls">,
  { fileId, contentType, expiresAt }: KeptFile,
  { purpose, bytes, sha256 }: SentFile,
): UploadedFile {
  return {
    fileId,
    url: fileUrls.urlOf(fileId),
    purpose,
    contentType,
    size: bytes.byteLength,
    sha256,
    expiresAt: expiresAt.toISOString(),
  };
}
