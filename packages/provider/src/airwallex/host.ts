import { type FormData, Pool } from "undici";
import { parseBaseUrl } from "../http/base-url.ts";
import type { CallResult } from "../http/call-result.ts";
import { exchangeJson } from "../http/exchange-json.ts";

interface HostOptions {
  maxConnections: number;
  maxResponseBytes: number;
  connectMs: number;
}

export interface Request {
  method: "GET" | "POST";
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: Buffer | FormData;
}

export interface Host {
  /** Sends a request once, and reads its response. Never rejects. */
  send(request: Request, signal: AbortSignal, onSend: () => void): Promise<CallResult>;
  pool: Pool;
  /** Waits for the running requests. */
  close(): Promise<void>;
}

/**
 * Connects to one of Airwallex's hosts.
 * @throws TypeError for an invalid base URL
 */
export function createHost(baseUrl: string, options: HostOptions): Host {
  const { maxConnections, maxResponseBytes, connectMs } = options;
  const base = parseBaseUrl(baseUrl);
  const pool = new Pool(base.origin, {
    connections: maxConnections,
    // With one request at a time on a connection, a request is sent in the moment when it gets the connection.
    allowH2: false,
    pipelining: 1,
    // The total deadline covers head and body. undici's own timeouts restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectMs },
  });

  return {
    pool,
    send({ path, headers, ...request }, signal, onSend) {
      const all = { accept: "application/json", "accept-encoding": "identity", ...headers };
      const sent = { ...request, path: base.path + path, headers: all };
      return exchangeJson(pool, sent, { maxResponseBytes, signal, onSend });
    },
    close: () => pool.close(),
  };
}
