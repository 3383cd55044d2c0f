import type { Metadata } from "sharp";

/** What decides how much memory and time an image takes: its size, and what a decoder has to hold at once. */
export type ImageLayout = Pick<Metadata, "format" | "width" | "height"> &
  Partial<Pick<Metadata, "isProgressive" | "hasAlpha" | "pages">>;

/**
 * The maximum width times height. A baseline JPEG or a PNG is read line by line; the other layouts are in memory as a
 * whole. With these limits the worst file of each layout stays below the bounds of a decoder (G27).
 */
export function maxPixels({ format, isProgressive, hasAlpha, pages = 1 }: ImageLayout): number {
  if (format === "webp") return hasAlpha || pages > 1 ? 4_000_000 : 12_000_000;
  if (isProgressive) return format === "png" ? 16_000_000 : 20_000_000;
  return 50_000_000;
}

/** Below this number of pixels, an image is cheap whatever it contains. */
const alwaysPlausible = 4_000_000;
/** A photo has at most some tens of pixels per byte, and a JPEG of one colour has 200. */
const maxPixelsPerByte = 500;

/** True if the image has more pixels than are allowed, or than a picture of its length in bytes can have. */
export function hasTooManyPixels(layout: ImageLayout, byteLength: number): boolean {
  const pixels = layout.width * layout.height;
  return pixels > maxPixels(layout) || (pixels > alwaysPlausible && pixels > byteLength * maxPixelsPerByte);
}
