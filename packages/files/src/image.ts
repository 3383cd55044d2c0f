import type { FileType, Inspected } from "@cardbridge/domain";
import type { Kind } from "./file-type.ts";
import { refusal } from "./refusal.ts";

/** Text on a document has to stay readable. */
const quality = 90;
/** For one picture; what takes longer was made to. */
const seconds = 20;

const outputs: Record<Exclude<Kind, "pdf">, { contentType: FileType; format: "jpeg" | "png" | "webp" }> = {
  jpeg: { contentType: "image/jpeg", format: "jpeg" },
  png: { contentType: "image/png", format: "png" },
  webp: { contentType: "image/webp", format: "webp" },
  heic: { contentType: "image/jpeg", format: "jpeg" },
};

let loaded: ReturnType<typeof load> | undefined;

/** The library is native and large: whoever never sees a picture, such as a worker or a command, starts without it. */
async function load() {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  // The prebuilt libvips reads AVIF only: HEVC, which phones use in HEIC, is patented.
  const readsHeic = sharp.format.heif.input.fileSuffix?.includes(".heic") ?? false;
  return { sharp, readsHeic };
}

/**
 * Draws a picture anew: turned upright, its first frame only, without what was beside the pixels.
 * @throws Failure file-type, file-pixels, file-broken.
 */
export async function redraw(
  bytes: Uint8Array,
  kind: Exclude<Kind, "pdf">,
  maxPixels: number,
): Promise<Inspected> {
  loaded ??= load();
  const { sharp, readsHeic } = await loaded;
  if (kind === "heic" && !readsHeic) throw refusal("file-type");
  const { contentType, format } = outputs[kind];

  const { width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((cause) => {
      throw refusal("file-broken", cause);
    });
  if (width * height > maxPixels) throw refusal("file-pixels");

  const drawn = await sharp(bytes, { limitInputPixels: maxPixels, failOn: "error", autoOrient: true })
    .toFormat(format, format === "png" ? {} : { quality })
    .timeout({ seconds })
    .toBuffer()
    .catch((cause) => {
      throw refusal("file-broken", cause);
    });
  return { contentType, bytes: drawn };
}
