import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

export const formats = ["jpeg", "png", "webp"] as const;

/** An image with enough detail for a decoder to detect its truncation. */
export function testImage(width = 64, height = 48): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * at * 31 + (at >> 3)) % 251;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

interface PngOptions {
  width: number;
  height: number;
  depth?: 8 | 16;
  /** 2 is RGB, 6 is RGB with alpha. */
  colour?: 2 | 6;
  interlaced?: boolean;
  /** Chunks before the pixels. */
  extra?: Buffer[];
  /** The number of bytes of all rows before compression. By default, the rows are complete and zero. */
  rows?: number;
}

/** A PNG of black pixels. */
export function pngOf({
  width,
  height,
  depth = 8,
  colour = 2,
  interlaced = false,
  extra = [],
  rows,
}: PngOptions) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  const pixel = ((colour === 6 ? 4 : 3) * depth) / 8;
  // Each row starts with a filter byte. An interlaced image has 1.875 times as many rows.
  const length = rows ?? width * height * pixel + (interlaced ? 2 : 1) * height;
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const data = deflateSync(Buffer.alloc(length));
  const end = Buffer.alloc(0);
  return Buffer.concat([signature, chunk("IHDR", header), ...extra, chunk("IDAT", data), chunk("IEND", end)]);
}

/** A PNG that declares a size but has almost no pixels. */
export const pngWithDeclaredSize = (width: number, height: number) => pngOf({ width, height, rows: 100_000 });

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
