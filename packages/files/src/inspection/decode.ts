import { Failure } from "@cardbridge/domain";
import type { Decoded } from "./decoded.ts";
import type { FileKind } from "./file-type.ts";
import { reencodeImage } from "./image.ts";
import { checkPdf } from "./pdf.ts";
import type { FileRule } from "./violation.ts";

/** Re-encodes an image, or validates a PDF and returns it unchanged. */
export async function decode(kind: FileKind, bytes: Uint8Array): Promise<Decoded> {
  if (kind !== "pdf") return reencodeImage(bytes, kind);
  try {
    await checkPdf(bytes);
    return { contentType: "application/pdf", bytes };
  } catch (error) {
    const violation = error instanceof Failure ? error.details.violations?.[0] : undefined;
    if (!violation) throw error;
    return { rule: violation.rule as FileRule };
  }
}
