import { constants, inflateRawSync } from "node:zlib";

/** Of all streams of one PDF together, inflated. */
const maxInflated = 64 * 1024 * 1024;
/** Each costs memory and time, however short it is. A statement of a thousand pages has some thousands. */
const maxStreams = 20_000;

/** The streams of a PDF inflate to more than it may hold. */
export class TooLarge extends Error {}

/**
 * What every deflated stream inflates to. Any `stream` counts, as no reader can see more of them.
 * @param {Buffer} bytes
 * @throws TooLarge
 */
export function* inflatedStreams(bytes) {
  let left = maxInflated;
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

/** Whether a zlib header stands there. @param {Buffer} bytes @param {number} at */
function isDeflated(bytes, at) {
  return at + 2 < bytes.length && ((bytes[at] ?? 0) & 15) === 8 && bytes.readUInt16BE(at) % 31 === 0;
}

/**
 * Without its checksum, and as far as it goes, as the readers do.
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
