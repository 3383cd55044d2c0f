import { errorCode } from "@cardbridge/domain";
import { usedCpuMs } from "../processes/usage.ts";
import { renderPdfPages } from "../rendering/pdf-page.ts";
import type { Decoded, FileToDecode } from "./decoded.ts";
import { reencodeImage } from "./image.ts";
import { checkPdf } from "./pdf.ts";

/** Re-encodes an image, or checks a PDF and renders pages of it, as they are rendered for people later. */
export async function decode({ kind, bytes, page, pagesMs }: FileToDecode): Promise<Decoded> {
  if (kind !== "pdf") return reencodeImage(bytes, kind);
  const untilCpuMs = usedCpuMs() + pagesMs;
  try {
    const rule = page === 1 ? await checkPdf(bytes) : null;
    return rule ? { rule } : await renderPdfPages(bytes, page, untilCpuMs);
  } catch (error) {
    if (errorCode(error) !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
    return { rule: "pdf-too-complex" };
  }
}
