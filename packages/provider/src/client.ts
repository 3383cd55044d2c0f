import { ExponentialBackoff, handleWhenResult, retry } from "cockatiel";
import { Pool } from "undici";
import { readBaseUrl } from "./base-url.ts";
import { type Schedule, timers } from "./deadline.ts";
import { exchange } from "./exchange.ts";
import { type BreakerOptions, createLane } from "./lane.ts";
import { isWorthRetrying, type Outcome } from "./outcome.ts";
import { createSigner, type SignedRequest } from "./signature.ts";

export interface ClientOptions {
  /** http or https; may have a base path, which is part of what is signed. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /**
   * In milliseconds: a whole KYC call (10 000), a whole read of cards with its retries (5000), and within
   * them a connect (3000; to about a second, which is how often undici looks).
   */
  deadlines?: { kycMs?: number; readMs?: number; connectMs?: number };
  /** 64 unless told otherwise; further calls wait for one, under their deadline. */
  maxConnections?: number;
  /** The largest body that is read, in bytes; 1 MB (1 048 576) unless told otherwise. */
  maxResponseBytes?: number;
  /** Of reads: how many more attempts (2), and the bounds of the waits between them in milliseconds (50, 500). */
  retries?: { count?: number; firstDelayMs?: number; maxDelayMs?: number };
  breaker?: BreakerOptions;
  /** The clock of signatures, in milliseconds since 1970. */
  now?: () => number;
  /** The timers of the deadlines of calls; the machine's own unless told otherwise. */
  schedule?: Schedule;
}

type LaneName = "cards" | "kyc";

interface Client {
  /** GET, tried again when that may help. Rejects with the caller's abort reason only. */
  read(lane: LaneName, path: string, query: string, caller?: AbortSignal): Promise<Outcome>;
  /** PUT in the KYC lane, sent once. Never rejects. */
  write(path: string, body: unknown): Promise<Outcome>;
  /** Waits for what is under way, then drops the connections. May be called again. */
  close(): Promise<void>;
}

/**
 * Speaks signed HTTP to one provider.
 * @throws TypeError for a base URL or a client id that cannot be used.
 */
export function createClient(options: ClientOptions): Client {
  const { clientId, clientSecret, now = Date.now, deadlines = {}, breaker = {}, retries = {} } = options;
  const { maxConnections = 64, maxResponseBytes = 1_048_576, schedule = timers } = options;
  if (!/^[\x21-\x7e]+$/.test(clientId)) throw new TypeError("clientId must be visible ASCII characters.");

  const base = readBaseUrl(options.baseUrl);
  const sign = createSigner({ clientId, clientSecret, now });
  const lanes = {
    cards: createLane({ deadlineMs: deadlines.readMs ?? 5_000, breaker, schedule }),
    kyc: createLane({ deadlineMs: deadlines.kycMs ?? 10_000, breaker, schedule }),
  };
  const again = retry(
    handleWhenResult((result) => isWorthRetrying(result as Outcome)),
    {
      maxAttempts: retries.count ?? 2,
      backoff: new ExponentialBackoff({
        initialDelay: retries.firstDelayMs ?? 50,
        maxDelay: retries.maxDelayMs ?? 500,
      }),
    },
  );
  // The lanes' deadlines cover headers and body; undici's own would only start anew with every byte.
  const pool = new Pool(base.origin, {
    connections: maxConnections,
    // With one request a connection at a time, handing a request over is the moment of sending it.
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: deadlines.connectMs ?? 3_000 },
  });
  let closed: Promise<void> | undefined;

  function attempt(request: SignedRequest, signal: AbortSignal, onSend: () => void): Promise<Outcome> {
    const { method, path, query, body = null } = request;
    const headers = {
      accept: "application/json",
      "accept-encoding": "identity",
      ...(body && { "content-type": "application/json" }),
      ...sign(request),
    };
    const sent = { method, path: query === "" ? path : `${path}?${query}`, headers, body };
    return exchange(pool, sent, { maxResponseBytes, signal, onSend });
  }

  return {
    read(lane, path, query, caller) {
      const request: SignedRequest = { method: "GET", path: base.path + path, query };
      return lanes[lane](
        (signal, onSend) => again.execute(() => attempt(request, signal, onSend), signal),
        caller,
      );
    },
    write(path, content) {
      const body = Buffer.from(JSON.stringify(content));
      const request: SignedRequest = { method: "PUT", path: base.path + path, query: "", body };
      return lanes.kyc((signal, onSend) => attempt(request, signal, onSend));
    },
    close() {
      closed ??= pool.close();
      return closed;
    },
  };
}
