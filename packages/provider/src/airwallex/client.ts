import type { ProviderState } from "@cardbridge/domain";
import type { FormData } from "undici";
import { createCallPolicy } from "../http/call-policy.ts";
import type { CallResult } from "../http/call-result.ts";
import { type HttpClientOptions, withDefaults } from "../http/client-options.ts";
import { createHost, type Host, type Request } from "../http/host.ts";
import { poolState } from "../http/pool-state.ts";
import { createReadRetry } from "../http/retry-reads.ts";
import { createTokens } from "./tokens.ts";

export interface AirwallexClientOptions extends HttpClientOptions {
  /** The base URL of the API, such as https://api-demo.airwallex.com. */
  baseUrl: string;
  /** The host for uploads, such as https://files-demo.airwallex.com. */
  filesUrl: string;
  clientId: string;
  apiKey: string;
}

/** A call rejects only with the caller's abort reason. If its time `ms` has passed, it sends nothing. */
export interface AirwallexClient {
  /** Sends a GET. Retries it after failures that a retry may resolve. */
  read(
    group: "cards" | "kyc" | "rfis",
    path: string,
    options: { ms?: number; caller?: AbortSignal | undefined },
  ): Promise<CallResult>;
  /** Uploads a file. Repeats the upload once after a 401: the first upload is then unused. */
  upload(form: FormData, ms: number): Promise<CallResult>;
  /** Sends a POST once. Returns a 401 without a repetition, because a creation has no idempotency key. */
  create(group: "kyc" | "rfis", path: string, content: unknown, ms: number): Promise<CallResult>;
  state(): ProviderState;
  /** Waits for active calls, then closes the connections. Further calls return the same promise. */
  close(): Promise<void>;
}

/** The time that remains of a deadline which starts now, in milliseconds. */
export function startDeadline(deadlineMs: number): () => number {
  const start = performance.now();
  return () => deadlineMs - (performance.now() - start);
}

/** The version that the adapter implements. Without the header, the version of the account applies. */
const apiVersion = "2025-06-30";

/**
 * Creates a client of Airwallex's API. It logs in on its first call.
 * @throws TypeError for an invalid base URL, client id or API key
 */
export function createAirwallexClient(options: AirwallexClientOptions): AirwallexClient {
  const { clientId, apiKey } = options;
  const { kycMs, readMs, host, retries, breaker, now, startTimer } = withDefaults(options);
  if (![clientId, apiKey].every((text) => /^[\x21-\x7e]+$/.test(text))) {
    throw new TypeError("clientId and apiKey must be visible ASCII characters.");
  }
  const api = createHost(options.baseUrl, host);
  const files = createHost(options.filesUrl, host);
  const policyOf = (deadlineMs: number) => createCallPolicy({ deadlineMs, breaker, startTimer });
  const policies = {
    cards: policyOf(readMs),
    kyc: policyOf(kycMs),
    // Requests for information belong to another product: its failures do not stop submissions.
    rfis: policyOf(kycMs),
    files: policyOf(kycMs),
    login: policyOf(readMs),
  };
  const retryRead = createReadRetry(retries);
  const tokens = createTokens({ login, now });
  let closed: Promise<void> | undefined;

  function login(): Promise<CallResult> {
    const headers = { "x-client-id": clientId, "x-api-key": apiKey };
    const request: Request = { method: "POST", path: "/api/v1/authentication/login", headers };
    return policies.login((signal, onSend) => api.send(request, signal, onSend));
  }

  interface Call {
    policy: keyof typeof policies;
    host: Host;
    request: Request;
    /** When it may be sent again: never; once, after a 401; or also after failures, as `retries` defines. */
    repeat: "never" | "unauthorized" | "failed";
    ms?: number | undefined;
    caller?: AbortSignal | undefined;
  }

  async function call({ policy, host, request, repeat, ms, caller }: Call): Promise<CallResult> {
    if (ms !== undefined && ms <= 0) return { kind: "timeout", reason: "deadline", sent: false };
    return policies[policy](
      (signal, onSend) =>
        withToken(repeat !== "never", (token) => {
          const authorization = { authorization: `Bearer ${token}`, "x-api-version": apiVersion };
          const sent = { ...request, headers: { ...request.headers, ...authorization } };
          const send = () => host.send(sent, signal, onSend);
          return repeat === "failed" ? retryRead(send, signal) : send();
        }),
      caller,
      ms,
    );
  }

  /** Sends with a token. After a 401 it discards the token, and repeats this call with a new one if `again` is set. */
  async function withToken(
    again: boolean,
    send: (token: string) => Promise<CallResult>,
  ): Promise<CallResult> {
    const first = await tokens.get();
    if ("failed" in first) return first.failed;
    const result = await send(first.token);
    if (result.kind !== "response" || result.status !== 401) return result;
    tokens.reject(first.token);
    if (!again) return result;
    const second = await tokens.get();
    return "failed" in second ? result : send(second.token);
  }

  return {
    read(group, path, { ms, caller }) {
      const request: Request = { method: "GET", path, headers: {} };
      return call({ policy: group, host: api, request, repeat: "failed", ms, caller });
    },
    upload(form, ms) {
      const request: Request = { method: "POST", path: "/api/v1/files/upload", headers: {}, body: form };
      return call({ policy: "files", host: files, request, repeat: "unauthorized", ms });
    },
    create(group, path, content, ms) {
      const headers = { "content-type": "application/json" };
      const request: Request = { method: "POST", path, headers, body: Buffer.from(JSON.stringify(content)) };
      return call({ policy: group, host: api, request, repeat: "never", ms });
    },
    state: () => ({
      breakers: {
        cards: policies.cards.state(),
        kyc: policies.kyc.state(),
        rfis: policies.rfis.state(),
        files: policies.files.state(),
        login: policies.login.state(),
      },
      connections: poolState([api.pool, files.pool]),
    }),
    close() {
      closed ??= Promise.all([api.close(), files.close()]).then(() => undefined);
      return closed;
    },
  };
}
