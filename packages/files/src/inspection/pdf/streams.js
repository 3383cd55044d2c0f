import { constants, inflateRawSync } from "node:zlib";

/** The limit of the total inflated size of a PDF's streams. */
const maxInflatedBytes = 64 * 1024 * 1024;
/** Even a short stream uses memory and time. A statement of a thousand pages has several thousand streams. */
const maxStreams = 20_000;

/** The streams of a PDF exceed the limits. */
export class TooLarge extends Error {}

/**
 * Yields the inflated content of every deflated stream. It treats every occurrence of `stream` as a stream, so it finds
 * at least the streams that any PDF reader finds.
 * @param {Buffer} bytes
 * @throws TooLarge
 */
export function* inflatedStreams(bytes) {
  let left = maxInflatedBytes;
  let count = 0;
  for (let at = bytes.indexOf("stream"); at >= 0; at = bytes.indexOf("stream", at + 6)) {
    const start = afterSpace(bytes, at + 6);
    if (!isDeflated(bytes, start)) continue;
    count += 1;
    if (count > maxStreams) throw new TooLarge();
    const inflated = inflate(bytes.subarray(start + 2), left);
    left -= inflated.length;
    yield inflated;
  }
}

/** @param {Buffer} bytes @param {number} start */
function afterSpace(bytes, start) {
  let at = start;
  while (at < start + 4 && " \r\n".includes(String.fromCharCode(bytes[at] ?? 0))) at += 1;
  return at;
}

/** Whether the bytes at an offset are a zlib header. @param {Buffer} bytes @param {number} at */
function isDeflated(bytes, at) {
  return at + 2 < bytes.length && ((bytes[at] ?? 0) & 15) === 8 && bytes.readUInt16BE(at) % 31 === 0;
}

/**
 * Inflates without verifying the checksum and accepts truncated data, as PDF readers do.
 * @param {Buffer} deflated @param {number} maxOutputLength
 */
function inflate(deflated, maxOutputLength) {
  if (maxOutputLength < 1) throw new TooLarge();
  try {
    return inflateRawSync(deflated, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if (error instanceof RangeError) throw new TooLarge();
    return Buffer.alloc(0);
  }
}
