import { type AddressRulesOptions, createAddressRules } from "./addresses/address-rules.ts";
import { createGuardedAgent } from "./connection/guarded-agent.ts";
import { createResolve, type Resolve } from "./connection/resolve.ts";
import type { ConnectReason, ResponseReason } from "./http/connection-error.ts";
import { type StartTimer, startSystemTimer, withDeadline } from "./http/deadline.ts";
import { type Exchanged, type ExchangeResult, exchange } from "./http/exchange.ts";
import { parseTarget } from "./target.ts";

export interface GuardedClientOptions extends AddressRulesOptions {
  /** Also allows URLs with http. For development. */
  allowHttp?: boolean | undefined;
  /** Default: the DNS servers of this machine. */
  resolve?: Resolve;
  /** Certificates of authorities, in place of those that Node trusts. */
  ca?: string;
  /** The timers of the deadlines. Default: the timers of this process. */
  startTimer?: StartTimer;
}

interface GuardedRequest {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The time of the whole exchange, in milliseconds. Default: 15 000. */
  deadlineMs?: number;
  /** The part of the answer's body that is read, in bytes. Default: 65 536. */
  maxResponseBytes?: number;
  /** Whether a part of the body is of no use. */
  whole?: boolean;
  signal?: AbortSignal | undefined;
}

/** Why there is no answer. The values are a closed set and never quote a URL or an answer. */
export type FailedReason =
  | "url-refused"
  | ConnectReason
  | ResponseReason
  | "connection-lost"
  | "deadline"
  | "aborted";

export type GuardedResult =
  | ({ kind: "answered" } & Omit<Exchanged, "kind">)
  | { kind: "failed"; reason: FailedReason };

/** The bytes of a file with its Content-Type, or why there are none. */
export type ReadResult =
  | { kind: "read"; bytes: Buffer; contentType: string | undefined }
  | { kind: "failed"; reason: FailedReason | `status-${number}` };

export interface GuardedClient {
  /** Makes one exchange. Never rejects. */
  request(request: GuardedRequest): Promise<GuardedResult>;
  /** Reads a whole file with GET, which has to answer 200. Never rejects. */
  readBytes(
    url: string,
    limits: { maxBytes: number; deadlineMs: number; signal?: AbortSignal },
  ): Promise<ReadResult>;
  /** Ends all connections. */
  close(): Promise<void>;
}

const connectMs = 10_000;
const maxHeaderBytes = 16_384;

/**
 * Creates a client for addresses that a caller names. It connects to public addresses and allowed networks only, follows
 * no redirect, uses no proxy, and bounds the time and the size of every answer.
 * @throws Error for an invalid CIDR
 */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const { allowHttp = false, resolve = createResolve(), ca, startTimer = startSystemTimer } = options;
  const rules = createAddressRules(options);
  const agent = createGuardedAgent({ rules, resolve, connectMs, maxHeaderBytes, ca });

  async function request(asked: GuardedRequest): Promise<GuardedResult> {
    const {
      method,
      headers,
      body = null,
      deadlineMs = 15_000,
      maxResponseBytes = 65_536,
      whole = false,
      signal,
    } = asked;
    const target = parseTarget(asked.url, allowHttp);
    if (!target) return { kind: "failed", reason: "url-refused" };
    const onTimeout = (): ExchangeResult => ({ kind: "timeout", sent: true });
    const dispatched = { ...target, method, headers: { "accept-encoding": "identity", ...headers }, body };
    const result = await withDeadline({ ms: deadlineMs, onTimeout, caller: signal, startTimer }, (ending) =>
      exchange(agent, dispatched, { maxResponseBytes, whole, signal: ending }),
    ).catch(() => undefined);
    if (result?.kind === "response") return { ...result, kind: "answered" };
    if (!result || signal?.aborted) return { kind: "failed", reason: "aborted" };
    return { kind: "failed", reason: result.kind === "timeout" ? "deadline" : result.reason };
  }

  return {
    request,
    async readBytes(url, { maxBytes, ...limits }) {
      const result = await request({
        method: "GET",
        url,
        maxResponseBytes: maxBytes,
        whole: true,
        ...limits,
      });
      if (result.kind === "failed") return result;
      if (result.status !== 200) return { kind: "failed", reason: `status-${result.status}` };
      if (result.broken) return { kind: "failed", reason: result.broken };
      return { kind: "read", bytes: result.bytes, contentType: result.contentType };
    },
    close: () => agent.destroy(),
  };
}
