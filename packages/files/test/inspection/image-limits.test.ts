import { describe, expect, it } from "vitest";
import { hasTooManyPixels, type ImageLayout, maxPixels } from "../../src/inspection/image-limits.ts";

const layouts: [string, Omit<ImageLayout, "width" | "height">, megapixels: number][] = [
  ["a JPEG", { format: "jpeg" }, 50],
  ["a progressive JPEG", { format: "jpeg", isProgressive: true }, 20],
  ["a PNG", { format: "png", hasAlpha: true }, 50],
  ["an interlaced PNG", { format: "png", isProgressive: true }, 16],
  ["a WebP", { format: "webp" }, 12],
  ["a WebP with transparency", { format: "webp", hasAlpha: true }, 4],
  ["an animated WebP", { format: "webp", pages: 2 }, 4],
];

describe.each(layouts)("%s", (_, layout, megapixels) => {
  const of = (pixels: number) => hasTooManyPixels({ ...layout, width: 1, height: pixels }, 10_000_000);

  it("is limited to the pixels that decode within the limits", () => {
    expect(maxPixels({ ...layout, width: 1, height: 1 })).toBe(megapixels * 1_000_000);
    expect([of(megapixels * 1_000_000), of(megapixels * 1_000_000 + 1)]).toEqual([false, true]);
  });
});

it("an image of more than 4 million pixels must have a byte for every 500 pixels", () => {
  const of = (width: number, bytes: number) =>
    hasTooManyPixels({ format: "jpeg", width, height: 1_000 }, bytes);
  expect([of(4_000, 1), of(4_001, 8_001), of(4_001, 8_002)]).toEqual([false, true, false]);
});
