import { createHmac, timingSafeEqual } from "node:crypto";

interface VerifierOptions {
  /** A signature with any of these secrets is valid, so that a secret can be rotated. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  now(): number;
}

/** The maximum difference between the time of a signature and the local clock. */
const toleranceMs = 5 * 60_000;

/**
 * Verifies events (docs "Listen for webhook events"): `x-signature` is the hexadecimal HMAC-SHA256 of `x-timestamp`, in
 * milliseconds, followed by the raw body. A signature is valid for five minutes, which prevents later replays.
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
