import type { webhookData } from "./contract.ts";

type KnownEvents = typeof webhookData;

/** The fields of every event. */
interface EventOf<Type extends string, Data> {
  /** The event's id, the same for every attempt: the header `webhook-id`. */
  webhookId: string;
  type: Type;
  /** The environment of the service that sent it. */
  environment: "test" | "live";
  /** When the change was stored; RFC 3339, in UTC. */
  timestamp: string;
  data: Data;
}

/**
 * An event of a type that this version of the client does not know. TypeScript narrows a union only by literals, so
 * this literal represents every other type. At run time, `type` is the received value.
 */
export type UnknownWebhookEvent = EventOf<"(another type)", Record<string, unknown>>;

/** A verified event. Its `type` determines its `data`. */
export type WebhookEvent =
  | { [Type in keyof KnownEvents]: EventOf<Type, KnownEvents[Type]> }[keyof KnownEvents]
  | UnknownWebhookEvent;
