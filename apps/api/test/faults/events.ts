import { createHmac, randomUUID } from "node:crypto";
import { sandboxEventsSecret } from "../../src/config/development-secrets.ts";

interface Told {
  reference: string;
  userReference: string;
  status: string;
  revision: number;
  cardAccountId?: string | null;
}

/** Sends an event as the provider signs them (Standard Webhooks). Returns the status; 0 where there was no answer. */
export async function sendEvent(url: string, data: Told, patienceMs = 60_000): Promise<number> {
  const body = JSON.stringify({ type: "kyc.updated", data: { cardAccountId: null, ...data } });
  const send = { method: "POST", headers: signed(body), body, signal: AbortSignal.timeout(patienceMs) };
  return fetch(`${url}/provider/events`, send).then(
    (response) => response.status,
    () => 0,
  );
}

/** The headers of an event with this body. */
export function signed(body: string): Record<string, string> {
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
