import sharp from "sharp";
import { buildPdf, stream } from "./pdfs.ts";

interface CostlyPdf {
  pages: number;
  /** The number of times that each page draws the one image. */
  draws: number;
  /** The width and height of the image, in pixels. */
  side: number;
}

/** A small PDF that is dear to render: its pages draw one large JPEG many times. */
export async function pdfOfDraws({ pages, draws, side }: CostlyPdf): Promise<Buffer> {
  const background = { r: 200, g: 210, b: 220 };
  const jpeg = await sharp({ create: { width: side, height: side, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const image = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`;
  const content = Buffer.from("q 590 0 0 840 0 0 cm /I Do Q\n".repeat(draws));
  const page =
    "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /I 4 0 R >> >> /Contents 5 0 R";
  const numbers = Array.from({ length: pages }, (_, at) => at + 10);
  return buildPdf({
    objects: [
      stream(4, image, jpeg),
      stream(5, "", content),
      ...numbers.map((number) => `${number} 0 obj\n<< ${page} >>\nendobj\n`),
      // Readers use the newest version of an object.
      `2 0 obj\n<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(" ")}] /Count ${pages} >>\nendobj\n`,
    ],
  });
}
