import type { FileType, Inspected } from "@cardbridge/domain";
import type { FileKind } from "./file-type.ts";
import { fileViolation } from "./violation.ts";

type ImageKind = Exclude<FileKind, "pdf">;

/** High enough that text on a document stays readable. */
const quality = 90;
/** The maximum time for one image. Only a hostile image takes longer. */
const timeoutSeconds = 20;

const outputs: Record<ImageKind, { contentType: FileType; format: "jpeg" | "png" | "webp" }> = {
  jpeg: { contentType: "image/jpeg", format: "jpeg" },
  png: { contentType: "image/png", format: "png" },
  webp: { contentType: "image/webp", format: "webp" },
  heic: { contentType: "image/jpeg", format: "jpeg" },
};

let loaded: ReturnType<typeof load> | undefined;

/** Loads sharp on first use. It is native and large, and a worker or a command never decodes an image. */
async function load() {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  // The prebuilt libvips reads AVIF only. HEVC, the codec of HEIC photos, is patented.
  const readsHeic = sharp.format.heif.input.fileSuffix?.includes(".heic") ?? false;
  return { sharp, readsHeic };
}

/**
 * Re-encodes the first frame of an image, upright and without metadata.
 *
 * @param maxPixels the maximum width times height
 * @throws Failure file-type, file-pixels or file-broken
 */
export async function reencodeImage(
  bytes: Uint8Array,
  kind: ImageKind,
  maxPixels: number,
): Promise<Inspected> {
  loaded ??= load();
  const { sharp, readsHeic } = await loaded;
  if (kind === "heic" && !readsHeic) throw fileViolation("file-type");
  const { contentType, format } = outputs[kind];

  const { width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((cause) => {
      throw fileViolation("file-broken", cause);
    });
  if (width * height > maxPixels) throw fileViolation("file-pixels");

  const output = await sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", autoOrient: true })
    .toFormat(format, format === "png" ? {} : { quality })
    .timeout({ seconds: timeoutSeconds })
    .toBuffer()
    .catch((cause) => {
      throw fileViolation("file-broken", cause);
    });
  return { contentType, bytes: output };
}
