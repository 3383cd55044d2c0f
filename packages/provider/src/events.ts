import type { KycVerdict } from "@cardbridge/domain";
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import { toVerdict } from "./mapper.ts";
import { id, kycState } from "./wire.ts";

/**
 * What a delivery to us is.
 *
 * - `kyc`: the provider tells of a decision. Whether it is a later one than ours, its revision says.
 * - `other`: signed by the provider, of a type that we have no use for: take it.
 * - `unsigned`: nobody knows who sent it, or when.
 * - `unreadable`: signed by the provider, and not what the contract says.
 */
export type ProviderEvent =
  | { kind: "kyc"; reference: string; userReference: string; verdict: KycVerdict }
  | { kind: "other" }
  | { kind: "unsigned" }
  | { kind: "unreadable" };

interface EventReaderOptions {
  /** `whsec_…`; any of them may have signed, so that a secret can be exchanged. */
  secrets: readonly string[];
}

export interface EventReader {
  /** Reads a delivery: its headers, and its body as it came. Never throws. */
  read(headers: Headers, body: string): ProviderEvent;
}

const signedHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"];

const anyEvent = z.object({ type: z.string() });

/** The names are looked up as they are: nobody asked, so there is nothing to compare them with. */
const kycUpdate = z.object({ data: kycState.extend({ reference: id, userReference: id }) });

/**
 * A reader of the provider's events (provider contract, section Events). A signature holds for 5 minutes.
 * @throws TypeError when there is no secret, or one that cannot be used; never quotes it.
 */
export function createEventReader({ secrets }: EventReaderOptions): EventReader {
  const keys = secrets.map(toKey);
  if (keys.length === 0) throw new TypeError("An event reader needs a secret.");

  return {
    read(headers, body) {
      const signature = Object.fromEntries(signedHeaders.map((name) => [name, headers.get(name) ?? ""]));
      return keys.some((key) => isSigned(key, signature, body)) ? readEvent(body) : { kind: "unsigned" };
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

function readEvent(body: string): ProviderEvent {
  const json = parse(body);
  const event = anyEvent.safeParse(json);
  if (!event.success) return { kind: "unreadable" };
  if (event.data.type !== "kyc.updated") return { kind: "other" };

  const update = kycUpdate.safeParse(json);
  if (!update.success) return { kind: "unreadable" };
  const { reference, userReference } = update.data.data;
  return { kind: "kyc", reference, userReference, verdict: toVerdict(update.data.data) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
