import type { ProviderState } from "@cardbridge/domain";
import { type StartTimer, startSystemTimer } from "@cardbridge/egress";
import { ExponentialBackoff, handleWhenResult, retry } from "cockatiel";
import { Pool } from "undici";
import { parseBaseUrl } from "../http/base-url.ts";
import { type BreakerOptions, createCallPolicy } from "../http/call-policy.ts";
import { type CallResult, isRetryable } from "../http/call-result.ts";
import { exchangeJson } from "../http/exchange-json.ts";
import { poolState } from "../http/pool-state.ts";
import { createSigner, type SignedRequest } from "./signature.ts";

export interface ClientOptions {
  /** http or https. A path in it is part of every signed path. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /**
   * In milliseconds: `kycMs` for a KYC call (default 10 000) and `readMs` for cards (5000), each with all
   * retries, and `connectMs` for each connect within them (3000; undici checks about once a second).
   */
  deadlines?: { kycMs?: number; readMs?: number; connectMs?: number };
  /** Default: 64. Further calls wait for a connection within their deadline. */
  maxConnections?: number;
  /** The maximum size of a response body, in bytes. Default: 1 048 576 (1 MB). */
  maxResponseBytes?: number;
  /** For reads: the number of retries (default 2), and the minimum and maximum delay in milliseconds (50 and 500). */
  retries?: { count?: number; minDelayMs?: number; maxDelayMs?: number };
  breaker?: BreakerOptions;
  /** The clock of the signatures, in milliseconds since 1970. */
  now?: () => number;
  /** The timers of the deadlines. Default: the timers of this process. */
  startTimer?: StartTimer;
}

type EndpointGroup = "cards" | "kyc";

interface Client {
  state(): ProviderState;
  /** Sends a GET and retries it where that helps. Rejects with the caller's abort reason only. */
  read(group: EndpointGroup, path: string, query: string, caller?: AbortSignal): Promise<CallResult>;
  /** Sends a PUT of the KYC group once. Never rejects. */
  write(path: string, body: unknown): Promise<CallResult>;
  /** Waits for the running calls, then closes the connections. Further calls return the same promise. */
  close(): Promise<void>;
}

/**
 * Creates a client that signs its requests to one provider (provider contract, section Signature).
 * @throws TypeError for an invalid base URL or client id
 */
export function createClient(options: ClientOptions): Client {
  const { clientId, clientSecret, now = Date.now, deadlines = {}, breaker = {}, retries = {} } = options;
  const { maxConnections = 64, maxResponseBytes = 1_048_576, startTimer = startSystemTimer } = options;
  if (!/^[\x21-\x7e]+$/.test(clientId)) throw new TypeError("clientId must be visible ASCII characters.");

  const base = parseBaseUrl(options.baseUrl);
  const sign = createSigner({ clientId, clientSecret, now });
  const policies = {
    cards: createCallPolicy({ deadlineMs: deadlines.readMs ?? 5_000, breaker, startTimer }),
    kyc: createCallPolicy({ deadlineMs: deadlines.kycMs ?? 10_000, breaker, startTimer }),
  };
  const retryPolicy = retry(
    handleWhenResult((result) => isRetryable(result as CallResult)),
    {
      maxAttempts: retries.count ?? 2,
      backoff: new ExponentialBackoff({
        initialDelay: retries.minDelayMs ?? 50,
        maxDelay: retries.maxDelayMs ?? 500,
      }),
    },
  );
  // The total deadline covers head and body. undici's own timeouts restart with every byte.
  const pool = new Pool(base.origin, {
    connections: maxConnections,
    // With one request at a time on a connection, a request is sent in the moment when it gets the connection.
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: deadlines.connectMs ?? 3_000 },
  });
  let closed: Promise<void> | undefined;

  function attempt(request: SignedRequest, signal: AbortSignal, onSend: () => void): Promise<CallResult> {
    const { method, path, query, body = null } = request;
    const headers = {
      accept: "application/json",
      "accept-encoding": "identity",
      ...(body && { "content-type": "application/json" }),
      ...sign(request),
    };
    const target = query === "" ? path : `${path}?${query}`;
    return exchangeJson(pool, { method, path: target, headers, body }, { maxResponseBytes, signal, onSend });
  }

  return {
    state: () => ({
      breakers: { cards: policies.cards.state(), kyc: policies.kyc.state() },
      connections: poolState([pool]),
    }),
    read(group, path, query, caller) {
      const request: SignedRequest = { method: "GET", path: base.path + path, query };
      return policies[group](
        (signal, onSend) => retryPolicy.execute(() => attempt(request, signal, onSend), signal),
        caller,
      );
    },
    write(path, content) {
      const body = Buffer.from(JSON.stringify(content));
      const request: SignedRequest = { method: "PUT", path: base.path + path, query: "", body };
      return policies.kyc((signal, onSend) => attempt(request, signal, onSend));
    },
    close() {
      closed ??= pool.close();
      return closed;
    },
  };
}
