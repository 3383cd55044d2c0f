import type { ProviderState } from "@cardbridge/domain";
import { createCallPolicy } from "../http/call-policy.ts";
import type { CallResult } from "../http/call-result.ts";
import { type HttpClientOptions, withDefaults } from "../http/client-options.ts";
import { createHost } from "../http/host.ts";
import { poolState } from "../http/pool-state.ts";
import { createReadRetry } from "../http/retry-reads.ts";
import { createSigner, type SignedRequest } from "./signature.ts";

export interface ClientOptions extends HttpClientOptions {
  /** An http or https URL. Its path is part of every signed path. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

type EndpointGroup = "cards" | "kyc";

interface Client {
  state(): ProviderState;
  /** Sends a GET and retries it after temporary failures. Rejects only with the caller's abort reason. */
  read(group: EndpointGroup, path: string, query: string, caller?: AbortSignal): Promise<CallResult>;
  /** Sends a PUT of the KYC group once. Never rejects. */
  write(path: string, body: unknown): Promise<CallResult>;
  /** Waits for active calls, then closes the connections. Further calls return the same promise. */
  close(): Promise<void>;
}

/**
 * Creates a client that signs its requests to one provider (provider contract, section Signature).
 * @throws TypeError for an invalid base URL or client id
 */
export function createClient(options: ClientOptions): Client {
  const { clientId, clientSecret } = options;
  const { host: hostOptions, kycMs, readMs, retries, breaker, now, startTimer } = withDefaults(options);
  if (!/^[\x21-\x7e]+$/.test(clientId)) throw new TypeError("clientId must be visible ASCII characters.");

  const host = createHost(options.baseUrl, hostOptions);
  const sign = createSigner({ clientId, clientSecret, now });
  const policies = {
    cards: createCallPolicy({ deadlineMs: readMs, breaker, startTimer }),
    kyc: createCallPolicy({ deadlineMs: kycMs, breaker, startTimer }),
  };
  const retryRead = createReadRetry(retries);
  let closed: Promise<void> | undefined;

  function attempt(request: SignedRequest, signal: AbortSignal, onSend: () => void): Promise<CallResult> {
    const { method, path, query, body = null } = request;
    const headers = {
      ...(body && { "content-type": "application/json" }),
      ...sign({ ...request, path: host.basePath + path }),
    };
    const target = query === "" ? path : `${path}?${query}`;
    return host.send({ method, path: target, headers, body }, signal, onSend);
  }

  return {
    state: () => ({
      breakers: { cards: policies.cards.state(), kyc: policies.kyc.state() },
      connections: poolState([host.pool]),
    }),
    read(group, path, query, caller) {
      const request: SignedRequest = { method: "GET", path, query };
      return policies[group](
        (signal, onSend) => retryRead(() => attempt(request, signal, onSend), signal),
        caller,
      );
    },
    write(path, content) {
      const body = Buffer.from(JSON.stringify(content));
      const request: SignedRequest = { method: "PUT", path, query: "", body };
      return policies.kyc((signal, onSend) => attempt(request, signal, onSend));
    },
    close() {
      closed ??= host.close();
      return closed;
    },
  };
}
