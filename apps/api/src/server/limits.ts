/** The longest request target, in characters: room for every documented parameter, many times. */
export const maxTargetLength = 8_192;

/** The largest list of headers, counted as HTTP/2 counts: names, values, and 32 bytes for each (RFC 9113). */
export const maxHeaderListSize = 16 * 1024;

/** The largest body in bytes (gap G21), and how long it may take to arrive. */
export const maxBodyBytes = 64 * 1024;
export const maxBodyMillis = 10_000;

/** How long an uploaded file may take to arrive. */
export const maxFileMillis = 60_000;

/** How much of a body that is not wanted is still read, so that its caller gets the answer. */
export const maxDrainedBytes = 16 * 1024 * 1024;
export const maxDrainMillis = 5_000;

/** How many calls one request over tRPC may hold. */
export const maxCallsOfBatch = 20;

/** How deep JSON may nest: ten times what the interface needs. */
export const maxJsonDepth = 32;

/** What a socket may cost, in milliseconds: callers who send slowly, or nothing, lose theirs. */
export const socketLimits = {
  headersTimeout: 10_000,
  /** For a whole request: longer than headers, body and draining together, each of which has its own limit. */
  requestTimeout: 90_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than proxies keep an idle connection, so that it is they who close it. */
  keepAliveTimeout: 65_000,
};

/** How many sockets one process holds: beyond them files and memory would run out first. */
export const maxSockets = 10_000;

/** Whether headers, as Node's `rawHeaders` lists them, are beyond their limit. */
export function areHeadersTooLarge(rawHeaders: readonly string[]): boolean {
  let size = rawHeaders.length * 16;
  for (const text of rawHeaders) size += text.length;
  return size > maxHeaderListSize;
}
