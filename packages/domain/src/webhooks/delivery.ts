import * as z from "zod";
import { moment } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import { webhookEndpointId } from "./endpoint.ts";
import { webhookEventTypes } from "./events.ts";

export const webhookDeliveryId = z
  .stringFormat("webhook-delivery-id", idPattern(64))
  .meta({ description: "The delivery's id." });

/** Why an attempt got no response. One reason for all unusable addresses: two would reveal which private names exist. */
export const undeliveredReasons = [
  "address-unusable",
  "connection-refused",
  "tls-failed",
  "deadline",
  "connection-lost",
  "answer-invalid",
  "stopped",
] as const;

/** The outcome of one attempt: a response, or why there is none. */
const webhookOutcome = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("answered"),
    status: z.int(),
    /** The first bytes of the response body, as text. */
    excerpt: z.string().max(1_024),
    retryAfterSeconds: z.number().optional(),
  }),
  z.object({ kind: z.literal("undelivered"), reason: z.enum(undeliveredReasons) }),
]);
export type WebhookOutcome = z.output<typeof webhookOutcome>;

/** `pending`: an attempt is due or in progress. `failed`: no attempt follows unless the delivery is redelivered. */
export const deliveryStatuses = ["pending", "delivered", "failed"] as const;

/** One attempt as callers see it. */
const webhookAttempt = z.object({
  attempt: z.int().min(1).meta({ description: "The number of the attempt, starting at 1." }),
  startedAt: moment.meta({ description: "When the attempt started." }),
  milliseconds: z.int().min(0).meta({ description: "The duration of the attempt in milliseconds." }),
  status: z.int().nullable().meta({ description: "The HTTP status; null without a response." }),
  reason: extensibleEnum(undeliveredReasons).nullable().meta({ description: "Why there was no response." }),
  excerpt: z.string().nullable().meta({ description: "The first bytes of the response body." }),
});
export type WebhookAttempt = z.output<typeof webhookAttempt>;

/** The delivery of one event to one endpoint. */
export const webhookDelivery = z
  .object({
    deliveryId: webhookDeliveryId,
    endpointId: webhookEndpointId,
    webhookId: z
      .string()
      .meta({ description: "The header webhook-id: the event's id, the same for every attempt." }),
    type: extensibleEnum(webhookEventTypes).meta({ description: "The type of the event." }),
    kycRecordId: z
      .string()
      .nullable()
      .meta({ description: "The record that changed; null for other events." }),
    sequence: z
      .int()
      .nullable()
      .meta({ description: "The number of the change within its record; null for other events." }),
    status: extensibleEnum(deliveryStatuses).meta({
      description:
        "`pending`: an attempt is due or in progress. `failed`: no attempt follows unless the delivery is redelivered.",
    }),
    attempts: z.int().min(0).meta({ description: "The number of all attempts, also before a redelivery." }),
    createdAt: moment.meta({ description: "When the delivery was created." }),
    dueAt: moment.nullable().meta({ description: "When the next attempt is due; null if none follows." }),
    deliveredAt: moment
      .nullable()
      .meta({ description: "When the endpoint received the event; null if it did not." }),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.output<typeof webhookDelivery>;

/** The maximum number of attempts that a delivery shows. */
export const maxShownAttempts = 20;

/** How often a delivery can be sent again within an hour (gap G32). */
export const maxRedeliveriesPerHour = 10;

/** A delivery with its last attempts, oldest first. */
export const webhookDeliveryDetails = webhookDelivery
  .extend({
    payload: z.string().meta({ description: "The body of the request, the same at every attempt." }),
    history: z
      .array(webhookAttempt)
      .max(maxShownAttempts)
      .meta({ description: `The last attempts, up to ${maxShownAttempts}, oldest first.` }),
  })
  .meta({ id: "WebhookDeliveryDetails" });
export type WebhookDeliveryDetails = z.output<typeof webhookDeliveryDetails>;
