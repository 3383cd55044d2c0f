import type { EventReader, ProviderEvent } from "@cardbridge/domain";
import { createVerifier } from "./signature.ts";
import { cardholderStep } from "./submit.ts";
import { anyEvent, cardholderEvent } from "./wire.ts";

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
