import { createHmac, randomUUID } from "node:crypto";
import { sandboxEventsSecret } from "../../../../src/config/development-secrets.ts";

interface KycUpdate {
  reference: string;
  userReference: string;
  status: string;
  revision: number;
  cardAccountId?: string | null;
}

interface RequestUpdate {
  reference: string;
  userReference: string;
  /** The document request, as the provider reports it. */
  request: object;
}

/** Sends an event with the provider's signature (Standard Webhooks). Returns the status, or 0 without a response. */
export async function sendEvent(
  url: string,
  data: KycUpdate | RequestUpdate,
  timeoutMs = 60_000,
): Promise<number> {
  const event =
    "request" in data
      ? { type: "kyc.request_updated", data }
      : { type: "kyc.updated", data: { cardAccountId: null, ...data } };
  const body = JSON.stringify(event);
  const request = {
    method: "POST",
    headers: signedHeaders(body),
    body,
    signal: AbortSignal.timeout(timeoutMs),
  };
  return fetch(`${url}/provider/events`, request).then(
    (response) => response.status,
    () => 0,
  );
}

/** The headers of an event with this body, signed by the provider. */
export function signedHeaders(body: string): Record<string, string> {
  const id = `evt_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const secret = Buffer.from(sandboxEventsSecret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
