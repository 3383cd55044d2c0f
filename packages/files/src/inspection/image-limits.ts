import type { Metadata } from "sharp";

/** The properties that determine how much memory and time an image needs. */
export type ImageLayout = Pick<Metadata, "format" | "width" | "height"> &
  Partial<Pick<Metadata, "isProgressive" | "hasAlpha" | "pages">>;

/**
 * The maximum width times height. Decoders read a baseline JPEG or a PNG line by line, and other layouts as a whole.
 * With these limits, the worst file of each layout stays below the limits of a decoder (G27).
 */
export function maxPixels({ format, isProgressive, hasAlpha, pages = 1 }: ImageLayout): number {
  if (format === "webp") return hasAlpha || pages > 1 ? 4_000_000 : 12_000_000;
  if (isProgressive) return format === "png" ? 16_000_000 : 20_000_000;
  return 50_000_000;
}

/** An image with fewer pixels is cheap to decode, whatever its content. */
const alwaysPlausible = 4_000_000;
/** A photo has at most some tens of pixels per byte, and a single-colour JPEG has 200. */
const maxPixelsPerByte = 500;

/** True if the image has more pixels than the limit, or more than an image of its size in bytes can plausibly have. */
export function hasTooManyPixels(layout: ImageLayout, byteLength: number): boolean {
  const pixels = layout.width * layout.height;
  return pixels > maxPixels(layout) || (pixels > alwaysPlausible && pixels > byteLength * maxPixelsPerByte);
}
