import type { Metrics, ServiceCallOutcome } from "../http/metrics.ts";
import type { Tokens } from "../sessions/session.ts";

/** The time for the head of a response. A manual attempt makes two calls to the card provider. */
const answerMs = 60_000;
/** An answer is recent for this long, in milliseconds. Without one, the service is asked for its health. */
const recentMs = 10_000;
/** Without an answer for this long, the service counts as away, in milliseconds: a restart of it takes less. */
const awayMs = 60_000;
const environmentHeader = "x-cardbridge-environment";

/** The request headers that reach the service. All others of the browser, such as its platform or Origin, do not. */
const forwarded = [
  "accept",
  "content-type",
  "idempotency-key",
  "last-event-id",
  "traceparent",
  "trpc-accept",
];

/** The service did not answer. */
export class ServiceUnavailable extends Error {}

interface ServiceOptions {
  url: string;
  key: string;
  fetch?: typeof fetch;
  metrics?: Pick<Metrics, "serviceCall"> | undefined;
  /** The time in milliseconds. */
  now?: () => number;
}

interface ServiceCall {
  method: string;
  /** The path below /trpc, with the query. */
  path: string;
  headers: Headers;
  body?: string | undefined;
  signal: AbortSignal;
}

export type Service = ReturnType<typeof createService>;

/** The service behind the console. It adds the key, which never leaves this process otherwise. */
export function createService({ url, key, fetch: send = fetch, metrics, now = Date.now }: ServiceOptions) {
  let environment: string | null = null;
  let answeredAt = Number.NEGATIVE_INFINITY;

  async function request(path: string, init: RequestInit): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      const response = await send(`${url}${path}`, { ...init, signal, redirect: "manual" });
      environment = response.headers.get(environmentHeader) ?? environment;
      // A proxy answers for a service that is away.
      if (!isAway(response)) answeredAt = now();
      return response;
    } catch (error) {
      throw new ServiceUnavailable("The service did not answer.", { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** A request of a procedure, which is counted by its outcome. */
  async function call(path: string, init: RequestInit): Promise<Response> {
    try {
      const response = await request(`/trpc/${path}`, init);
      metrics?.serviceCall(outcomeOf(response));
      return response;
    } catch (error) {
      metrics?.serviceCall(init.signal?.aborted ? "cancelled" : "unavailable");
      throw error;
    }
  }

  function headersOf(tokens: Tokens): Record<string, string> {
    return { authorization: `Bearer ${key}`, "x-cardbridge-person": tokens.access };
  }

  return {
    /** @throws ServiceUnavailable without an answer. */
    call({ method, path, headers, body, signal }: ServiceCall, tokens: Tokens): Promise<Response> {
      const kept = forwarded.flatMap((name) => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      return call(path, {
        method,
        headers: { ...Object.fromEntries(kept), ...headersOf(tokens) },
        ...(body === undefined ? {} : { body }),
        signal,
      });
    },

    /**
     * Whether the service has answered within a minute; asks it unless it has a moment ago.
     * @throws the error of the failed request.
     */
    async check(): Promise<void> {
      if (now() - answeredAt < recentMs) return;
      try {
        const response = await request("/health/live", { signal: AbortSignal.timeout(2_000) });
        if (isAway(response))
          throw new ServiceUnavailable("", { cause: { code: `HTTP_${response.status}` } });
      } catch (error) {
        if (now() - answeredAt >= awayMs) throw error instanceof ServiceUnavailable ? error.cause : error;
      }
    },

    /** The service's environment, such as `live`; null until it has answered once. */
    async environment(): Promise<string | null> {
      if (environment === null) {
        await request("/health/live", { signal: AbortSignal.timeout(2_000) }).catch(() => {});
      }
      return environment;
    },
  };
}

/** The statuses with which proxies, and the service itself, say that it is away. */
const isAway = ({ status }: Response): boolean => [502, 503, 504].includes(status);

function outcomeOf(response: Response): ServiceCallOutcome {
  if (isAway(response)) return "unavailable";
  return response.status === 401 || response.status === 403 ? "refused" : "answered";
}
