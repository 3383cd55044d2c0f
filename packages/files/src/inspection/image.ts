import type { FileType } from "@cardbridge/domain";
import { loadSharp } from "../processes/load-sharp.ts";
import type { Decoded } from "./decoded.ts";
import type { FileKind } from "./file-type.ts";
import { hasTooManyPixels, maxPixels } from "./image-limits.ts";

type ImageKind = Exclude<FileKind, "pdf">;

// Quality 90 keeps the text on a document readable. The other options limit time and memory: optimized JPEG tables
// need the whole image in memory, and a slower compression of WebP or PNG saves only a few per cent of the size.
const jpeg = { quality: 90, optimiseCoding: false };
const outputs = {
  jpeg: { contentType: "image/jpeg", format: "jpeg", options: jpeg },
  png: { contentType: "image/png", format: "png", options: { compressionLevel: 4 } },
  webp: { contentType: "image/webp", format: "webp", options: { quality: 90, effort: 2 } },
  heic: { contentType: "image/jpeg", format: "jpeg", options: jpeg },
} as const satisfies Record<ImageKind, { contentType: FileType; format: string; options: object }>;

/**
 * Re-encodes the first frame of an image, upright and without metadata. Runs in a decoder process, which limits its
 * time and memory. The violated rule is file-type, file-pixels or file-broken.
 */
export async function reencodeImage(bytes: Uint8Array, kind: ImageKind): Promise<Decoded> {
  const sharp = await loadSharp();
  // The prebuilt libvips reads AVIF only. HEVC, the codec of HEIC photos, is patented.
  if (kind === "heic" && !sharp.format.heif.input.fileSuffix?.includes(".heic")) return { rule: "file-type" };

  const layout = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!layout) return { rule: "file-broken" };
  if (hasTooManyPixels(layout, bytes.length)) return { rule: "file-pixels" };

  const { contentType, format, options } = outputs[kind];
  const output = await sharp(bytes, {
    limitInputPixels: maxPixels(layout),
    failOn: "error",
    autoOrient: true,
    sequentialRead: true,
  })
    .toFormat(format, options)
    .toBuffer()
    .catch(() => null);
  return output ? { contentType, bytes: output } : { rule: "file-broken" };
}
