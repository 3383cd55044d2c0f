import { createHmac } from "node:crypto";

interface Signed {
  /** The id of the event. */
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The header `webhook-signature` of Standard Webhooks 1.0.0, with one signature for each secret `whsec_…`. */
export function signWebhook({ id, timestamp, body }: Signed, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
      const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
      return `v1,${signature}`;
    })
    .join(" ");
}
