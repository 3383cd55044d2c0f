import type { webhookData } from "./contract.ts";

type KnownEvents = typeof webhookData;

/** What every event has. */
interface EventOf<Type extends string, Data> {
  /** The event's id, the same at every attempt: the header `webhook-id`. */
  webhookId: string;
  type: Type;
  /** When the change was stored; RFC 3339, in UTC. */
  timestamp: string;
  data: Data;
}

/**
 * An event of a type that this version of the client does not know. TypeScript tells the types of a union apart by
 * literals alone, so one stands for every other text: `type` is what came.
 */
export type UnknownWebhookEvent = EventOf<"(another type)", Record<string, unknown>>;

/** A verified event. Its `type` tells which `data` it has. */
export type WebhookEvent =
  | { [Type in keyof KnownEvents]: EventOf<Type, KnownEvents[Type]> }[keyof KnownEvents]
  | UnknownWebhookEvent;
