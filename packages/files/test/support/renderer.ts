import type { PageToRender } from "@cardbridge/domain";
import sharp from "sharp";
import { inject, onTestFinished } from "vitest";
import { createEvidenceRenderer, type EvidenceRendererOptions } from "../../src/index.ts";

export const watermark = {
  name: "Zoë Ďurčová",
  personId: "per_01jexample",
  time: "2026-01-31T12:40:00.000Z",
  auditId: "4711",
};

/** Creates a renderer with the bundled programs, which start faster, and no time limit. Closes it after the test. */
export function createTestRenderer(options: EvidenceRendererOptions = {}) {
  const renderer = createEvidenceRenderer({
    program: new URL(inject("renderer")),
    timeoutMs: 600_000,
    ...options,
  });
  onTestFinished(renderer.close);
  return {
    close: renderer.close,
    render: (page: Partial<PageToRender> & Pick<PageToRender, "bytes">, holder = "per_one") =>
      renderer.render({ contentType: "image/jpeg", page: 1, watermark, ...page }, holder),
  };
}

/** The pixels of a rendered picture, in RGB. */
export async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return {
    width,
    height,
    at: (x: number, y: number) => [...data.subarray((y * width + x) * 3).subarray(0, 3)],
  };
}

/** The number of windows of this size that have one colour, so no watermark. */
export async function plainWindows(bytes: Uint8Array, window: { width: number; height: number }) {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  let plain = 0;
  for (let top = 0; top + window.height <= info.height; top += window.height / 2) {
    for (let left = 0; left + window.width <= info.width; left += window.width / 2) {
      if (isPlain(left, top)) plain += 1;
    }
  }
  return plain;

  function isPlain(left: number, top: number): boolean {
    const first = data[top * info.width + left] ?? 0;
    for (let y = top; y < top + window.height; y += 1) {
      for (let x = left; x < left + window.width; x += 1) {
        if (Math.abs((data[y * info.width + x] ?? 0) - first) > 20) return false;
      }
    }
    return true;
  }
}
