import { cardId, type EventReader, type ProviderEvent } from "@cardbridge/domain";
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import { toRequest } from "./requests.ts";
import { toVerdict } from "./verdict.ts";
import { id, kycState, openStatus } from "./wire.ts";

interface EventReaderOptions {
  /** `whsec_…`. A signature with any of these secrets is valid, so that a secret can be rotated. */
  secrets: readonly string[];
}

const signedHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"];

const anyEvent = z.object({ type: z.string() });

/** An event has no request with which to compare its references: they are validated as ids and then looked up. */
const kycUpdate = z.object({ data: kycState.extend({ reference: id, userReference: id }) });

const requestUpdate = z.object({
  data: z.object({ reference: id, userReference: id, request: z.unknown() }),
});

const cardUpdate = z.object({
  data: z.object({ cardId, userReference: id, status: openStatus.nullish() }),
});

/**
 * Creates a reader of the provider's events (provider contract, section Events). A signature is valid for 5 minutes.
 * @throws TypeError without a secret or for an invalid secret; the message never quotes it
 */
export function createEventReader({ secrets }: EventReaderOptions): EventReader {
  const keys = secrets.map(toKey);
  if (keys.length === 0) throw new TypeError("An event reader needs a secret.");

  return {
    acceptedStatus: 204,
    signedHeaders,
    read(headers, body) {
      const signature = Object.fromEntries(signedHeaders.map((name) => [name, headers.get(name) ?? ""]));
      return keys.some((key) => isSigned(key, signature, body))
        ? readEvent(headers.get("webhook-id") ?? "", body)
        : { kind: "unsigned" };
    },
  };
}

function toKey(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new TypeError("An event secret must be whsec_ and base64.");
  }
}

function isSigned(key: Webhook, signature: Record<string, string>, body: string): boolean {
  try {
    key.verify(body, signature, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

function readEvent(eventId: string, body: string): ProviderEvent {
  const json = parse(body);
  const event = anyEvent.safeParse(json);
  if (!event.success) return { kind: "unreadable" };
  if (event.data.type === "kyc.updated") return readKycEvent(json);
  if (event.data.type === "kyc.request_updated") return readRequestEvent(json);
  if (event.data.type === "card.updated") return readCardEvent(eventId, json);
  return { kind: "other" };
}

function readKycEvent(json: unknown): ProviderEvent {
  const update = kycUpdate.safeParse(json);
  if (!update.success) return { kind: "unreadable" };
  const { reference, userReference } = update.data.data;
  return { kind: "kyc", reference, userReference, verdict: toVerdict(update.data.data) };
}

function readRequestEvent(json: unknown): ProviderEvent {
  const update = requestUpdate.safeParse(json);
  const request = update.success ? toRequest(update.data.data.request) : undefined;
  if (!update.success || !request) return { kind: "unreadable" };
  const { reference, userReference } = update.data.data;
  return { kind: "request", reference, userReference, request };
}

function readCardEvent(eventId: string, json: unknown): ProviderEvent {
  const update = cardUpdate.safeParse(json);
  if (!update.success) return { kind: "unreadable" };
  const { userReference: externalUserId, status, ...card } = update.data.data;
  return { kind: "card", eventId, card: { ...card, externalUserId, status: status ?? null } };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
