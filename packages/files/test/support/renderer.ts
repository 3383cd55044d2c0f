import { randomBytes } from "node:crypto";
import type { Blobs, EncryptedFile, FileType, PageToRender } from "@cardbridge/domain";
import { encryptBlob } from "@cardbridge/service/file-key";
import sharp from "sharp";
import { inject, onTestFinished } from "vitest";
import { createEvidenceRenderer, createFolderBlobs, type EvidenceRendererOptions } from "../../src/index.ts";
import { createTempFolder } from "./folder.ts";

export const watermark = {
  name: "Zoë Ďurčová",
  personId: "per_01jexample",
  time: "2026-01-31T12:40:00.000Z",
  auditId: "4711",
};

/** Stores an encrypted file with a name and a key of its own, as the service does. */
export async function storeFile(
  blobs: Blobs,
  bytes: Uint8Array,
  contentType: FileType = "image/jpeg",
): Promise<EncryptedFile & { name: string }> {
  const [name, key] = [randomBytes(16).toString("hex"), randomBytes(32)];
  const file = { platformId: "plt_one", fileId: `file_${name}` };
  await blobs.put(name, encryptBlob(bytes, key, file));
  return { ...file, name, contentType, key, address: await blobs.addressOf(name) };
}

interface TestPage extends Partial<Omit<PageToRender, "file">> {
  bytes: Uint8Array;
  contentType?: FileType;
}

/** Creates a renderer with the bundled programs, which start faster, and no time limit. Closes it after the test. */
export function createTestRenderer(options: EvidenceRendererOptions = {}) {
  const renderer = createEvidenceRenderer({
    program: new URL(inject("renderer")),
    timeoutMs: 600_000,
    ...options,
  });
  onTestFinished(renderer.close);
  const show = async (page: Partial<PageToRender> & Pick<PageToRender, "file">) => {
    const { image, ...rendered } = await renderer.render({ page: 1, watermark, ...page }, "per_one");
    return { ...rendered, bytes: Buffer.from(image, "base64") };
  };
  return {
    close: renderer.close,
    /** Renders a page of a stored file. */
    show,
    /** Stores a file in a folder of its own, and renders a page of it. */
    async render({ bytes, contentType, ...page }: TestPage) {
      const file = await storeFile(await createFolderBlobs(await createTempFolder()), bytes, contentType);
      return show({ ...page, file: async () => file });
    },
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
