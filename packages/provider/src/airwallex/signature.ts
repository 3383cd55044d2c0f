import { createHmac, timingSafeEqual } from "node:crypto";

interface VerifierOptions {
  /** A signature under any of them is valid, so a secret can be rotated. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  now(): number;
}

/** How much the time of a signature may differ from ours. */
const toleranceMs = 5 * 60_000;

/**
 * Verifies events (docs "Listen for webhook events"): `x-signature` is the HMAC-SHA256 of `x-timestamp`, in milliseconds,
 * followed by the raw body, in hexadecimal. A signature is valid for five minutes, so an event cannot be replayed later.
 */
export function createVerifier({ secrets, now }: VerifierOptions) {
  return (headers: Headers, body: string): boolean => {
    const timestamp = headers.get("x-timestamp") ?? "";
    const signature = headers.get("x-signature") ?? "";
    if (!/^[0-9]{13}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) return false;
    if (Math.abs(now() - Number(timestamp)) > toleranceMs) return false;
    const given = Buffer.from(signature, "hex");
    return secrets.some((secret) => {
      const expected = createHmac("sha256", secret).update(timestamp).update(body).digest();
      return timingSafeEqual(expected, given);
    });
  };
}
