import { fileTypeFromBuffer } from "file-type";
import { refusal } from "./refusal.ts";

export type Kind = "jpeg" | "png" | "webp" | "heic" | "pdf";

const kinds = new Map<string, Kind>([
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
 * What a file's first bytes say that it is; its name and its declared type count for nothing.
 * @throws Failure for anything that is not taken.
 */
export async function kindOf(bytes: Uint8Array): Promise<Kind> {
  if (bytes.length === 0) throw refusal("file-empty");
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const kind = kinds.get(found?.mime ?? "");
  if (!kind) throw refusal("file-type");
  return kind;
}
