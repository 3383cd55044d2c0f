import { fileTypeFromBuffer } from "file-type";
import { fileViolation } from "./violation.ts";

export type FileKind = "jpeg" | "png" | "webp" | "heic" | "pdf";

const kinds = new Map<string, FileKind>([
  ["image/jpeg", "jpeg"],
  ["image/png", "png"],
  ["image/apng", "png"],
  ["image/webp", "webp"],
  ["image/heic", "heic"],
  ["image/heic-sequence", "heic"],
  ["image/heif", "heic"],
  ["image/heif-sequence", "heic"],
  ["application/pdf", "pdf"],
]);

/**
 * Detects the kind of a file by its magic bytes. Its name and its declared type are ignored.
 * @throws Failure file-empty or file-type
 */
export async function detectFileKind(bytes: Uint8Array): Promise<FileKind> {
  if (bytes.length === 0) throw fileViolation("file-empty");
  const detected = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const kind = kinds.get(detected?.mime ?? "");
  if (!kind) throw fileViolation("file-type");
  return kind;
}
