/** The longest request target, in characters: room for every documented parameter, many times. */
export const maxTargetLength = 8_192;

/** The largest list of headers, counted as HTTP/2 counts: names, values, and 32 bytes for each (RFC 9113). */
export const maxHeaderListSize = 16 * 1024;

/** Whether headers, as Node's `rawHeaders` lists them, are beyond their limit. */
export function areHeadersTooLarge(rawHeaders: readonly string[]): boolean {
  let size = rawHeaders.length * 16;
  for (const text of rawHeaders) size += text.length;
  return size > maxHeaderListSize;
}
