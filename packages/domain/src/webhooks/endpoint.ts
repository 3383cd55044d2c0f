import * as z from "zod";
import { moment } from "../input/formats.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import { webhookEventTypes } from "./events.ts";

/** The maximum number of endpoints of a platform. */
export const maxWebhookEndpoints = 10;

export const webhookEndpointId = z
  .stringFormat("webhook-endpoint-id", /^[0-9A-Za-z_-]{1,64}$/)
  .meta({ description: "The endpoint's id." });

/** Why an endpoint is disabled. `gone`: it answered 410. `failing`: every attempt of five days failed. */
export const disabledReasons = ["requested", "gone", "failing"] as const;

/** An endpoint without its secret. */
export const webhookEndpoint = z
  .object({
    endpointId: webhookEndpointId,
    url: z.string(),
    eventTypes: z
      .array(extensibleEnum(webhookEventTypes))
      .meta({ description: "The types of events that it receives." }),
    description: z.string().nullable(),
    enabled: z.boolean().meta({
      description: "Whether it receives events. The events of a disabled endpoint are failed deliveries.",
    }),
    disabledReason: extensibleEnum(disabledReasons).nullable(),
    disabledAt: moment.nullable(),
    failingSince: moment.nullable().meta({
      description: "The first failed attempt since the last successful one; null if that succeeded.",
    }),
    previousSecretUntil: moment
      .nullable()
      .meta({ description: "Until when the previous secret signs as well; null after that." }),
    createdAt: moment,
  })
  .meta({ id: "WebhookEndpoint" });
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** An endpoint with its secret, which is shown only once. */
export const webhookEndpointWithSecret = webhookEndpoint
  .extend({ secret: z.string().meta({ description: "whsec_…: verifies signatures. Shown only once." }) })
  .meta({ id: "WebhookEndpointWithSecret" });
