/** The maximum length of a request target, in characters. Valid requests are far below it. */
export const maxTargetLength = 8_192;

/** The maximum size of the target and the headers together, in bytes. Node's parser refuses larger ones. */
export const maxHeadBytes = 16 * 1024;

/** The maximum number of headers. Node's own limit drops further ones silently. */
export const maxHeaders = 500;

/** The maximum size of a body in bytes (gap G21), and the maximum time to receive it. */
export const maxBodyBytes = 64 * 1024;
export const maxBodyMs = 10_000;

/** The maximum size of a provider's event in bytes. Events have at most some kilobytes. */
export const maxEventBytes = 16 * 1024;

/** The maximum time to receive an uploaded file. */
export const maxFileMs = 60_000;

/** How much of an unwanted body is read and discarded, so that the caller gets the response. */
export const maxDrainedBytes = 16 * 1024 * 1024;
export const maxDrainMs = 5_000;

/** The maximum number of calls in a tRPC batch. */
export const maxCallsOfBatch = 20;

/** The maximum depth of JSON, ten times what the interface needs. */
export const maxJsonDepth = 32;

/** Timeouts of a socket, in milliseconds. They close slow and idle connections. */
export const socketLimits = {
  headersTimeout: 10_000,
  /** For a whole request: longer than the limits of headers, body and discarding together. */
  requestTimeout: 90_000,
  connectionsCheckingInterval: 1_000,
  /** Longer than the idle timeout of proxies, so that the proxy closes the connection first. */
  keepAliveTimeout: 65_000,
};

/**
 * The maximum time to send a response, equal to that of an upload; and the time after which a socket without a request
 * is closed, longer than Node's own timeouts. Blank lines do not extend the latter.
 */
export const maxWriteMs = 60_000;
export const maxIdleMs = 80_000;

/** The maximum size of all responses that callers have not received yet. Beyond it, the oldest sockets are closed. */
export const maxUnflushedBytes = 256 * 1024 * 1024;

/** The maximum number of sockets per process, below the limits of file descriptors and memory. */
export const maxSockets = 10_000;

/**
 * The maximum number of unanswered requests of one connection. Node starts every request in the 64 KB that it reads:
 * thousands of short requests would block the event loop and stay in memory.
 */
export const maxPipelined = 32;

/**
 * The maximum number of connections that wait to be accepted; Linux caps it at `net.core.somaxconn`. With
 * Node's 511, a burst of connections makes other callers wait for seconds, until they send their SYN again.
 */
export const listenBacklog = 4_096;
