import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import sharp, { type Channels } from "sharp";
import { chunk, pngOf } from "./images.ts";

// The worst images of each layout: small in bytes, but expensive in pixels, passes or memory.

/** An image of one colour. */
const flat = (side: number, channels: 3 | 4) =>
  sharp({
    create: { width: side, height: side, channels, background: { r: 200, g: 30, b: 90, alpha: 0.5 } },
    limitInputPixels: false,
  });

function noise(width: number, height: number, channels: Channels = 3) {
  const pixels = randomBytes(width * height * channels);
  return sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
}

/** A repeated tile of noise: lossless formats compress it to almost nothing, lossy formats do not. */
const repeated = async (side: number, channels: 3 | 4) =>
  flat(side, channels).composite([
    { input: await noise(64, 64, channels).png().toBuffer(), tile: true, blend: "source" },
  ]);

/** Noise of three bits per pixel, the content that compresses most slowly as a PNG. */
function faintNoise(side: number) {
  const pixels = randomBytes(side * side).map((value) => value & 7);
  return sharp(pixels, { raw: { width: side, height: side, channels: 1 } });
}

/** A PNG with text chunks that inflate to 40 MB each. */
function pngWithTexts(side: number, count: number): Buffer {
  const text = deflateSync(Buffer.alloc(40_000_000));
  const texts = Array.from({ length: count }, (_, index) =>
    chunk("zTXt", Buffer.concat([Buffer.from(`key${index}\0\0`, "latin1"), text])),
  );
  return pngOf({ width: side, height: side, extra: texts });
}

/** A progressive JPEG of one colour with many scans, each of which passes over every block. */
export function jpegWithScans(side: number, scans: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2;
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
  frame.writeUInt16BE(side, 1);
  frame.writeUInt16BE(side, 3);
  // A two-bit code and a length of 14: a run of 32,766 empty blocks. The last run may exceed the image.
  const emptyBlocks = Buffer.alloc(2 * Math.ceil(blocks / 32_766), Buffer.from("3ffe", "hex"));
  return Buffer.concat([
    Buffer.from("ffd8", "hex"),
    segment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1)),
    segment(0xc2, frame),
    segment(0xc4, Buffer.from([0x00, 1, ...Array(15).fill(0), 0])),
    segment(0xc4, Buffer.from([0x10, 0, 1, ...Array(14).fill(0), 0xe0])),
    segment(0xda, Buffer.from([3, 1, 0, 2, 0, 3, 0, 0, 0, 0])),
    Buffer.alloc(Math.ceil((blocks * 3) / 8)),
    ...Array.from({ length: scans }, (_, index) =>
      Buffer.concat([segment(0xda, Buffer.from([1, (index % 3) + 1, 0, 1, 63, 0])), emptyBlocks]),
    ),
    Buffer.from("ffd9", "hex"),
  ]);
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

const side = (megapixels: number) => Math.floor(Math.sqrt(megapixels * 1_000_000));
const rotated = { orientation: 6 };
const full = { quality: 8, chromaSubsampling: "4:4:4" };

/** The worst images by name: each layout at the maximum allowed size, or the smallest known image above it. */
export const worstImages: Record<string, () => Buffer | Promise<Buffer>> = {
  "JPEG, 50 MP, noise": () => noise(side(50), side(50)).jpeg(full).toBuffer(),
  "JPEG, 50 MP, noise, rotated": () => noise(side(50), side(50)).withMetadata(rotated).jpeg(full).toBuffer(),
  "JPEG, 50 MP, a rotated photo of 9 MB": () =>
    noise(side(50), side(50)).blur(2).withMetadata(rotated).jpeg({ quality: 86 }).toBuffer(),
  "JPEG, 50 MP, CMYK": () => flat(side(50), 3).toColourspace("cmyk").withIccProfile("cmyk").jpeg().toBuffer(),
  "JPEG, 50 MP, profile P3": () => noise(side(50), side(50)).withIccProfile("p3").jpeg(full).toBuffer(),
  "JPEG, 20 MP, progressive, rotated": () =>
    noise(side(20), side(20))
      .withMetadata(rotated)
      .jpeg({ ...full, progressive: true })
      .toBuffer(),
  "JPEG, 20 MP, 95 scans": () => jpegWithScans(side(20), 95),
  "JPEG, 20 MP, 10 MB of scans": () => jpegWithScans(side(20), 250_000),
  "JPEG, 40 MP, 95 scans": () => jpegWithScans(side(40), 95),
  "PNG, 50 MP, zeros": () => pngOf({ width: side(50), height: side(50) }),
  "PNG, 50 MP, 16 bits, alpha": () => pngOf({ width: side(50), height: side(50), depth: 16, colour: 6 }),
  "PNG, 50 MP, repeated noise": async () => (await repeated(side(50), 3)).png().toBuffer(),
  "PNG, 18 MP, faint noise, 9.5 MB": () => faintNoise(side(18)).png().toBuffer(),
  "PNG, 16 MP, interlaced, 16 bits, alpha": () =>
    pngOf({ width: side(16), height: side(16), depth: 16, colour: 6, interlaced: true }),
  "PNG, 60 text chunks of 40 MB": () => pngWithTexts(2_000, 60),
  "WebP, 40 MP, lossless, repeated noise, 44 KB": async () =>
    (await repeated(side(40), 3)).webp({ lossless: true, effort: 0 }).toBuffer(),
  "WebP, 12 MP, lossless, repeated noise": async () =>
    (await repeated(side(12), 3)).webp({ lossless: true, effort: 0 }).toBuffer(),
  "WebP, 12 MP, noise": () => noise(side(12), side(12)).webp({ quality: 1, effort: 0 }).toBuffer(),
  "WebP, 4 MP, lossless, alpha, repeated noise": async () =>
    (await repeated(side(4), 4)).webp({ lossless: true, effort: 0 }).toBuffer(),
  "WebP, 4 MP, animated, 2 frames": async () => {
    const frames = [
      await (await repeated(side(4), 4)).png().toBuffer(),
      await flat(side(4), 4).png().toBuffer(),
    ];
    return sharp(frames, { join: { animated: true } })
      .webp({ lossless: true, effort: 0 })
      .toBuffer();
  },
};
