import { createHmac } from "node:crypto";

/** The endpoint that receives events. */
export interface Webhook {
  url: string;
  secret: string;
}

/** How a delivery is signed. */
export type Signature = "valid" | "wrong" | "missing";

/** The HMAC-SHA256 of the timestamp and the raw body, in hex. */
function sign(secret: string, timestamp: string, body: string): string {
  return createHmac("sha256", secret)
    .update(timestamp + body)
    .digest("hex");
}

/**
 * Sends one delivery with a timeout of 5 s. Does not follow redirects.
 * @param timestampMs the time that is signed
 * @returns the status, or undefined without a response. Only 200 accepts the event
 */
export async function deliver(
  { url, secret }: Webhook,
  event: object,
  timestampMs: number,
  signature: Signature = "valid",
): Promise<number | undefined> {
  const body = JSON.stringify(event);
  const at = String(timestampMs);
  const headers: Record<string, string> = { "content-type": "application/json", "x-timestamp": at };
  if (signature !== "missing") {
    headers["x-signature"] = sign(signature === "wrong" ? `${secret}!` : secret, at, body);
  }
  try {
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
