import * as z from "zod";
import { moment } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import { automaticReasons, webhookEventTypes } from "./events.ts";

/** The maximum number of endpoints of a platform. */
export const maxWebhookEndpoints = 10;

export const webhookEndpointId = z
  .stringFormat("webhook-endpoint-id", idPattern(64))
  .meta({ description: "The endpoint's id." });

/** Why an endpoint is disabled: on request, or by the service. */
export const disabledReasons = ["requested", ...automaticReasons] as const;

/** The number of pending deliveries at which the service disables an endpoint (gap G32). */
export const maxPendingDeliveries = 100_000;

/** An endpoint without its secret. */
export const webhookEndpoint = z
  .object({
    endpointId: webhookEndpointId,
    url: z.string().meta({ description: "The address that receives the events." }),
    eventTypes: z
      .array(extensibleEnum(webhookEventTypes))
      .meta({ description: "The types of events that the endpoint receives." }),
    description: z.string().nullable().meta({ description: "A note for people; null for none." }),
    enabled: z.boolean().meta({
      description: "Whether the endpoint receives events. Deliveries to a disabled endpoint fail.",
    }),
    disabledReason: extensibleEnum(disabledReasons)
      .meta({
        description:
          "Why the endpoint is disabled; null while it is enabled. `gone`: it responded with 410. `failing`: every attempt failed for five days. `backlog`: 100,000 deliveries were pending.",
      })
      .nullable(),
    disabledAt: moment
      .meta({ description: "When the endpoint was disabled; null while it is enabled." })
      .nullable(),
    failingSince: moment.nullable().meta({
      description:
        "The time of the first failed attempt since the last success; null if the last attempt succeeded.",
    }),
    previousSecretUntil: moment
      .nullable()
      .meta({ description: "When the previous secret stops signing; null without a previous secret." }),
    createdAt: moment.meta({ description: "When the endpoint was created." }),
  })
  .meta({ id: "WebhookEndpoint" });
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** An endpoint with its secret, which is shown only once. */
export const webhookEndpointWithSecret = webhookEndpoint
  .extend({ secret: z.string().meta({ description: "whsec_…: verifies signatures. Shown only once." }) })
  .meta({ id: "WebhookEndpointWithSecret" });
