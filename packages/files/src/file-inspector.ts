import type { FileInspector } from "@cardbridge/domain";
import { kindOf } from "./file-type.ts";
import { redraw } from "./image.ts";
import { checkPdf, type PdfLimits } from "./pdf.ts";
import { refusal } from "./refusal.ts";
import { takeTurns } from "./turns.ts";

/** Resolves for a clean file. @throws Failure file-infected, and SERVICE_UNAVAILABLE where nobody can tell. */
export type Scan = (bytes: Uint8Array) => Promise<void>;

export interface FileInspectorOptions {
  /** Of one picture, width times height. */
  maxPixels?: number;
  /** How many files are decoded at once, pictures and PDFs; the others wait. */
  imagesAtOnce?: number;
  /** Sees the uploaded bytes before any decoder does. */
  scan?: Scan | undefined;
  /** What one PDF may cost; 10 s and 128 MB of heap unless told otherwise. */
  pdf?: Partial<PdfLimits>;
}

/** Looks at files: pictures are drawn anew, PDFs stay as they are or are refused. */
export function createFileInspector({
  maxPixels = 40_000_000,
  imagesAtOnce = 2,
  scan,
  pdf = {},
}: FileInspectorOptions = {}): FileInspector {
  const inTurn = takeTurns(imagesAtOnce);

  return {
    async inspect(bytes, purpose) {
      const kind = await kindOf(bytes);
      if (kind === "pdf" && purpose !== "supporting_document") throw refusal("file-purpose");
      await scan?.(bytes);
      return inTurn(async () => {
        if (kind !== "pdf") return redraw(bytes, kind, maxPixels);
        await checkPdf(bytes, pdf);
        return { contentType: "application/pdf", bytes };
      });
    },
  };
}
