import { exchange } from "@cardbridge/egress";
import { type FormData, Pool } from "undici";
import type { CallResult } from "./call-result.ts";

interface HostOptions {
  maxConnections: number;
  maxResponseBytes: number;
  connectMs: number;
  /** The W3C traceparent of the current trace, for the headers of each request; undefined without one. */
  traceparent: () => string | undefined;
}

export interface Request {
  method: "GET" | "POST" | "PUT";
  /** Relative to the path of the base URL, with the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | FormData | null;
}

export interface Host {
  /** Sends a request once and reads its complete response. Does not follow redirects and never rejects. */
  send(request: Request, signal: AbortSignal, onSend: () => void): Promise<CallResult>;
  pool: Pool;
  /** The path of the base URL. */
  basePath: string;
  /** Waits for active requests. */
  close(): Promise<void>;
}

/**
 * Connects to a host of a provider.
 *
 * @param baseUrl http or https. A path in it is part of every path.
 * @throws TypeError for an invalid base URL
 */
export function createHost(baseUrl: string, options: HostOptions): Host {
  const { maxConnections, maxResponseBytes, connectMs, traceparent } = options;
  const base = parseBaseUrl(baseUrl);
  const pool = new Pool(base.origin, {
    connections: maxConnections,
    // With one request at a time on a connection, a request is sent as soon as it gets the connection.
    allowH2: false,
    pipelining: 1,
    // The total deadline covers head and body; undici's own timeouts restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectMs },
  });

  return {
    pool,
    basePath: base.path,
    send({ path, headers, ...request }, signal, onSend) {
      const trace = traceparent();
      const all = {
        accept: "application/json",
        "accept-encoding": "identity",
        ...(trace && { traceparent: trace }),
        ...headers,
      };
      const sent = { ...request, path: base.path + path, headers: all };
      return exchange(pool, sent, { maxResponseBytes, whole: true, signal, onSend });
    },
    close: () => pool.close(),
  };
}

interface BaseUrl {
  origin: string;
  /** Empty, or a path with a leading slash and without a trailing slash. It is part of every signed path. */
  path: string;
}

/**
 * Splits a provider's base URL into origin and path.
 * @throws TypeError when it is not http(s), or has credentials, a query or a fragment. The message never quotes it.
 */
function parseBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError("baseUrl must be an http or https URL.");
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError("baseUrl must not contain credentials, a query or a fragment.");
  }
  let end = url.pathname.length;
  while (url.pathname.endsWith("/", end)) end -= 1;
  return { origin: url.origin, path: url.pathname.slice(0, end) };
}
