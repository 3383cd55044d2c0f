import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

export const formats = ["jpeg", "png", "webp"] as const;

/** An image with enough detail that truncating it is visible to a decoder. */
export function testImage(width = 64, height = 48): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * at * 31 + (at >> 3)) % 251;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A PNG that declares a size but has almost no pixels. */
export function pngWithDeclaredSize(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const data = deflateSync(Buffer.alloc(100_000));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
