import { reasonOf } from "@cardbridge/domain";
import { decryptBlob } from "@cardbridge/service/file-key";
import { readBlob } from "../blobs/read-blob.ts";
import { loadSharp } from "../processes/load-sharp.ts";
import { renderPdfPage } from "./pdf-page.ts";
import { maxSide, type Pixels, type Rendered, type RenderTask } from "./rendered.ts";
import { drawWatermark } from "./watermark.ts";

/** Readable text on a document needs this quality. More effort makes the picture some per cent smaller. */
const webp = { quality: 80, effort: 1 };

/** Reads a file and renders a page of it with a watermark. Runs in a render process, which limits its time and memory. */
export async function renderPage({ file, page, watermark }: RenderTask): Promise<Rendered> {
  let bytes: Uint8Array;
  try {
    bytes = decryptBlob(await readBlob(file.address), file.key, file);
  } catch (error) {
    return { unreadable: reasonOf(error) };
  }
  const { pages, pixels } =
    file.contentType === "application/pdf" ? await renderPdfPage(bytes, page) : await readImage(bytes, page);
  if (!pixels) return { pages };
  await drawWatermark(pixels, watermark);
  const { data, width, height } = pixels;
  const sharp = await loadSharp();
  const channels = pixels.channels === 4 ? 4 : 3;
  const picture = await sharp(data, { raw: { width, height, channels } }).removeAlpha().webp(webp).toBuffer();
  return { image: picture.toString("base64"), width, height, allPages: pages };
}

/** The pixels of an image, upright, on white, in sRGB. */
async function readImage(bytes: Uint8Array, page: number): Promise<{ pages: number; pixels?: Pixels }> {
  if (page > 1) return { pages: 1 };
  const sharp = await loadSharp();
  const { data, info } = await sharp(bytes, {
    limitInputPixels: 50_000_000,
    autoOrient: true,
    sequentialRead: true,
  })
    .resize(maxSide, maxSide, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { pages: 1, pixels: { data, width, height, channels } };
}
