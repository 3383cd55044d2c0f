import { type AddressRulesOptions, createAddressRules } from "./addresses/address-rules.ts";
import { createGuardedAgent } from "./connection/guarded-agent.ts";
import { createResolve, type Resolve } from "./connection/resolve.ts";
import { type StartTimer, startSystemTimer, withDeadline } from "./http/deadline.ts";
import { type ExchangeResult, exchange, type NoResponse } from "./http/exchange.ts";
import { parseTarget } from "./target.ts";

export interface GuardedClientOptions extends AddressRulesOptions {
  /** Also allows http URLs. For development only. */
  allowHttp?: boolean | undefined;
  /** Default: the DNS servers of this machine. */
  resolve?: Resolve;
  /** CA certificates that replace those that Node trusts. */
  ca?: string;
  /** The timers of the deadlines. Default: the timers of this process. */
  startTimer?: StartTimer;
}

interface GuardedRequest {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The time limit of the whole exchange, in milliseconds. Default: 15 000. */
  deadlineMs?: number;
  /** The maximum number of bytes read from the response's body. Default: 65 536. */
  maxResponseBytes?: number;
  /** Whether the complete body is required. */
  whole?: boolean;
  signal?: AbortSignal | undefined;
}

export interface GuardedClient {
  /** Sends one request and reads its response. Never rejects. */
  request(request: GuardedRequest): Promise<ExchangeResult>;
  /** Closes all connections. */
  close(): Promise<void>;
}

const connectMs = 10_000;
const maxHeaderBytes = 16_384;

/**
 * Creates a client for caller-supplied URLs. It connects only to public addresses and allowed networks, does not follow
 * redirects, uses no proxy, and limits the time and the size of every response.
 * @throws Error for an invalid CIDR
 */
export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const { allowHttp = false, resolve = createResolve(), ca, startTimer = startSystemTimer } = options;
  const rules = createAddressRules(options);
  const agent = createGuardedAgent({ rules, resolve, connectMs, maxHeaderBytes, ca });

  return {
    async request({
      url,
      deadlineMs = 15_000,
      maxResponseBytes = 65_536,
      whole = false,
      signal,
      ...request
    }) {
      const target = parseTarget(url, allowHttp);
      if (!target) return { kind: "connection-failed", reason: "url-refused", sent: false };
      const headers = { "accept-encoding": "identity", ...request.headers };
      const deadline = { ms: deadlineMs, onTimeout: () => ended("deadline"), caller: signal, startTimer };
      const result = await withDeadline<ExchangeResult>(deadline, (ending) =>
        exchange(agent, { ...target, ...request, headers }, { maxResponseBytes, whole, signal: ending }),
      ).catch(() => ended("aborted"));
      return result.kind !== "response" && signal?.aborted ? ended("aborted") : result;
    },
    close: () => agent.destroy(),
  };
}

const ended = (reason: "deadline" | "aborted"): NoResponse => ({ kind: "timeout", reason, sent: true });
