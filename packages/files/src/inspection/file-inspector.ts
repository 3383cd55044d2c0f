import type { FileInspector } from "@cardbridge/domain";
import pLimit from "p-limit";
import { detectFileKind } from "./file-type.ts";
import { reencodeImage } from "./image.ts";
import { checkPdf, type PdfLimits } from "./pdf.ts";
import { fileViolation } from "./violation.ts";

/** Resolves for a clean file. @throws Failure file-infected, or SERVICE_UNAVAILABLE when the scan fails */
export type Scan = (bytes: Uint8Array) => Promise<void>;

export interface FileInspectorOptions {
  /** The maximum width times height of an image. Default: 40 000 000. */
  maxPixels?: number;
  /** How many images and PDFs are decoded concurrently. Further files wait in a queue. Default: 2. */
  maxConcurrentDecodes?: number;
  /** Scans the uploaded bytes before any decoder reads them. */
  scan?: Scan | undefined;
  /** The limits of one PDF. Default: 10 s and 128 MB of heap. */
  pdf?: Partial<PdfLimits>;
}

/** Creates the inspector of uploaded files. It re-encodes images, and returns valid PDFs unchanged. */
export function createFileInspector({
  maxPixels = 40_000_000,
  maxConcurrentDecodes = 2,
  scan,
  pdf = {},
}: FileInspectorOptions = {}): FileInspector {
  const limit = pLimit(maxConcurrentDecodes);

  return {
    async inspect(bytes, purpose) {
      const kind = await detectFileKind(bytes);
      if (kind === "pdf" && purpose !== "supporting_document") throw fileViolation("file-purpose");
      await scan?.(bytes);
      return limit(async () => {
        if (kind !== "pdf") return reencodeImage(bytes, kind, maxPixels);
        await checkPdf(bytes, pdf);
        return { contentType: "application/pdf", bytes };
      });
    },
  };
}
