import { createHmac, timingSafeEqual } from "node:crypto";
import type { EventReader, ProviderEvent } from "@cardbridge/domain";
import { cardholderStep } from "./submit.ts";
import { anyEvent, cardholderEvent, rfiEvent } from "./wire.ts";

interface EventReaderOptions {
  /** The secrets of the webhook subscription. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  now?: () => number;
}

/**
 * Creates a reader of Airwallex's events. Events have no order, so an event about a cardholder results in a query for
 * its state.
 * @throws TypeError without a secret
 */
export function createAirwallexEventReader({ secrets, now = Date.now }: EventReaderOptions): EventReader {
  if (secrets.length === 0 || secrets.includes("")) throw new TypeError("An event reader needs a secret.");
  const isSigned = createVerifier({ secrets, now });
  return {
    // Airwallex repeats an event for days unless the response is exactly 200.
    acceptedStatus: 200,
    signedHeaders: ["x-signature", "x-timestamp"],
    read: (headers, body) => (isSigned(headers, body) ? readEvent(parse(body)) : { kind: "unsigned" }),
  };
}

function readEvent(json: unknown): ProviderEvent {
  const event = anyEvent.safeParse(json);
  if (!event.success) return { kind: "unreadable" };
  if (event.data.name.startsWith("rfi.")) {
    const named = rfiEvent.safeParse(json);
    return named.success ? { kind: "lookup", id: named.data.data.id } : { kind: "unreadable" };
  }
  if (!event.data.name.startsWith("issuing.cardholder.")) return { kind: "other" };
  const about = cardholderEvent.safeParse(json);
  if (!about.success) return { kind: "unreadable" };
  return { kind: "ask", about: { step: cardholderStep, id: about.data.data.cardholder_id } };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

interface VerifierOptions {
  /** A signature with any of these secrets is valid, so that a secret can be rotated. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  now(): number;
}

/** Airwallex repeats an event for about three days, and may repeat its first timestamp. One more day is a margin. */
const maxAgeMs = 4 * 86_400_000;
/** How far the clock of Airwallex may be ahead. */
const maxAheadMs = 5 * 60_000;

/**
 * Verifies events (docs "Listen for webhook events"): `x-signature` is the hexadecimal HMAC-SHA256 of `x-timestamp`, in
 * milliseconds, followed by the raw body. A signature is valid as long as Airwallex may repeat the event. A replay within
 * that time is harmless: an event only results in a query for the current state.
 */
function createVerifier({ secrets, now }: VerifierOptions) {
  return (headers: Headers, body: string): boolean => {
    const timestamp = headers.get("x-timestamp") ?? "";
    const signature = headers.get("x-signature") ?? "";
    if (!/^[0-9]{13}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) return false;
    const ageMs = now() - Number(timestamp);
    if (ageMs > maxAgeMs || ageMs < -maxAheadMs) return false;
    const given = Buffer.from(signature, "hex");
    return secrets.some((secret) => {
      const expected = createHmac("sha256", secret).update(timestamp).update(body).digest();
      return timingSafeEqual(expected, given);
    });
  };
}
