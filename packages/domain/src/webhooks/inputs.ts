import * as z from "zod";
import { Failure } from "../errors/failure.ts";
import { moment, shortText } from "../input/formats.ts";
import { cursor, pageFields } from "../input/pagination.ts";
import type { RawInput, Rule } from "../input/rule.ts";
import { deliveryStatuses, webhookDelivery, webhookDeliveryId } from "./delivery.ts";
import { webhookEndpoint, webhookEndpointId } from "./endpoint.ts";
import { subscribedEventTypes } from "./events.ts";
import { webhookUrl } from "./url.ts";

const eventTypes = z
  .array(z.enum(subscribedEventTypes))
  .min(1)
  .max(20)
  .transform((types) => [...new Set(types)])
  .meta({ description: "The types of events that the endpoint receives." });

const description = shortText
  .nullable()
  .optional()
  .meta({ description: "A note for people; null for none." });

/** A new endpoint. */
export const createWebhookEndpointInput = z
  .object({ url: webhookUrl, eventTypes, description })
  .meta({ id: "NewWebhookEndpoint" });

/** The changes of an endpoint. An omitted field stays unchanged. */
export const updateWebhookEndpointInput = z
  .object({
    endpointId: webhookEndpointId,
    url: webhookUrl.optional(),
    eventTypes: eventTypes.optional(),
    description,
    enabled: z
      .boolean()
      .optional()
      .meta({ description: "Whether the endpoint receives events. false fails its pending deliveries." }),
  })
  .meta({ id: "WebhookEndpointChange" });

/** The rotation of a secret. The previous secret also signs during the overlap. */
export const rotateWebhookSecretInput = z
  .object({
    endpointId: webhookEndpointId,
    overlapHours: z.int().min(0).max(720).default(24).meta({
      description: "The number of hours that the previous secret also signs.",
    }),
  })
  .meta({ id: "WebhookSecretRotation" });

export const webhookEndpointListQuery = z.object({}).meta({ id: "WebhookEndpointListQuery" });
export const webhookEndpointReference = z
  .object({ endpointId: webhookEndpointId })
  .meta({ id: "WebhookEndpointReference" });

/** All endpoints of a platform, oldest first. */
export const webhookEndpointList = z
  .object({ endpoints: z.array(webhookEndpoint).meta({ description: "The endpoints, oldest first." }) })
  .meta({ id: "WebhookEndpointList" });

/** The id of a deleted endpoint. */
export const deletedWebhookEndpoint = z
  .object({ endpointId: webhookEndpointId })
  .meta({ id: "DeletedWebhookEndpoint" });

/** Parameters for an endpoint's deliveries. */
export const webhookDeliveryListQuery = z
  .object({
    endpointId: webhookEndpointId,
    status: z
      .enum(deliveryStatuses)
      .optional()
      .meta({ description: "Lists only deliveries with this status." }),
    cursor: cursor
      .optional()
      .meta({ description: "The `nextCursor` of the previous page. Absent: the first page." }),
    pageSize: pageFields.pageSize,
  })
  .meta({ id: "WebhookDeliveryListQuery" });

/** One page of deliveries, newest first. */
export const webhookDeliveryPage = z
  .object({
    items: z.array(webhookDelivery).meta({ description: "The deliveries of this page." }),
    nextCursor: cursor
      .nullable()
      .meta({ description: "The cursor of the next page; null on the last page." }),
  })
  .meta({ id: "WebhookDeliveryPage" });

export const webhookDeliveryReference = z
  .object({ endpointId: webhookEndpointId, deliveryId: webhookDeliveryId })
  .meta({ id: "WebhookDeliveryReference" });

/** Which failed deliveries to send again. */
export const redeliverFailedInput = z
  .object({
    endpointId: webhookEndpointId,
    since: moment.meta({ description: "Sends again the failed deliveries of the events since this time." }),
  })
  .meta({ id: "WebhookRedelivery" });

export const redeliveredWebhooks = z
  .object({
    redelivered: z.int().min(0).meta({ description: "The number of deliveries that are due now." }),
    more: z
      .boolean()
      .meta({ description: "Whether more failed deliveries may remain: send the same call again." }),
  })
  .meta({ id: "RedeliveredWebhooks" });

const changes = ["url", "eventTypes", "description", "enabled"] as const;

/** Unknown fields are ignored, so a call with a misspelled field would otherwise change nothing. */
export const someWebhookChange: Rule = {
  id: "some-webhook-change",
  section: "G32",
  description: `Send at least one of ${changes.join(", ")}.`,
  check: (input: RawInput) =>
    changes.some((field) => input[field] !== undefined)
      ? []
      : [{ path: [], rule: "some-webhook-change", message: `Send at least one of ${changes.join(", ")}.` }],
  schema: { anyOf: changes.map((field) => ({ required: [field] })) },
};

/** The failure for a cursor that no page has returned, or whose delivery is deleted. */
export function unknownCursor(): Failure {
  const message = "No page has this cursor. Omit it to start at the newest delivery.";
  return new Failure("INVALID_INPUT", {
    violations: [{ path: ["cursor"], rule: "cursor-unknown", message }],
  });
}
