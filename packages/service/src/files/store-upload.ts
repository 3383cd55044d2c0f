import type { FilePurpose, KeptFile, UploadedFile, UploadUrlUse } from "@cardbridge/domain";
import { type Call, holderOf } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";

/** The bytes of an upload. */
export interface SentFile {
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
