import { createHash, createHmac } from "node:crypto";
import type { ProviderState } from "@cardbridge/domain";
import { createCallPolicy } from "../http/call-policy.ts";
import type { CallResult } from "../http/call-result.ts";
import { type HttpClientOptions, withDefaults } from "../http/client-options.ts";
import { createHost } from "../http/host.ts";
import { poolState } from "../http/pool-state.ts";
import { createReadRetry } from "../http/retry-reads.ts";

export interface ClientOptions extends HttpClientOptions {
  /** An http or https URL. Its path is part of every signed path. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
}

const emptyBodyHash = sha256("");

type EndpointGroup = "cards" | "kyc";

interface Client {
  state(): ProviderState;
  /** Sends a GET and retries it after temporary failures. Rejects only with the caller's abort reason. */
  read(group: EndpointGroup, path: string, query: string, caller?: AbortSignal): Promise<CallResult>;
  /** Sends a PUT or a POST of the KYC group once. Never rejects. */
  write(method: "PUT" | "POST", path: string, body: unknown): Promise<CallResult>;
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
    write(method, path, content) {
      const body = Buffer.from(JSON.stringify(content));
      const request: SignedRequest = { method, path, query: "", body };
      return policies.kyc((signal, onSend) => attempt(request, signal, onSend));
    },
    close() {
      closed ??= host.close();
      return closed;
    },
  };
}

interface SignedRequest {
  method: "GET" | "PUT" | "POST";
  /** As sent, with the base path and without the query. */
  path: string;
  /** As sent, without `?`. Empty if there is no query. */
  query: string;
  body?: Uint8Array | undefined;
}

interface SignerOptions {
  clientId: string;
  clientSecret: string;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

/** Returns the signature headers of one attempt. They contain the time, so each attempt is signed again. */
type Signer = (request: SignedRequest) => Record<string, string>;

/** Creates the signer of a client (provider contract, section Signature). */
function createSigner({ clientId, clientSecret, now }: SignerOptions): Signer {
  return ({ method, path, query, body }) => {
    const timestamp = String(Math.floor(now() / 1000));
    const bodyHash = body === undefined ? emptyBodyHash : sha256(body);
    const signed = [timestamp, method, path, query, bodyHash].join("\n");
    const signature = createHmac("sha256", clientSecret).update(signed).digest("hex");
    return { "x-client-id": clientId, "x-timestamp": timestamp, "x-signature": `v1=${signature}` };
  };
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
