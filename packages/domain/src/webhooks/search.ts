import * as z from "zod";
import { moment, searchedMoment } from "../input/formats.ts";
import { searchCursor } from "../input/search-cursor.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { platformIds } from "../platforms/inputs.ts";
import { deliveryStatuses, webhookDelivery } from "./delivery.ts";
import { webhookEndpoint, webhookEndpointId } from "./endpoint.ts";
import { webhookEventTypes } from "./events.ts";

/** The filters of a search of deliveries. Absent filters match every delivery of the last 30 days. */
const deliveryFilter = z.object({
  platformIds,
  endpointId: webhookEndpointId.optional(),
  status: z.enum(deliveryStatuses).optional(),
  type: z.enum(webhookEventTypes).optional(),
  kycRecordId: kycRecordId.optional(),
  createdAfter: searchedMoment.optional(),
  createdBefore: searchedMoment.optional(),
});

export const deliverySearchQuery = deliveryFilter.extend({
  limit: z.int().min(1).max(100).default(50),
  cursor: searchCursor.optional(),
});
export type DeliverySearchQuery = z.output<typeof deliverySearchQuery>;

const foundDelivery = webhookDelivery
  .extend({
    platformId: z.string(),
    platformName: z.string(),
    lastStatus: z
      .int()
      .nullable()
      .meta({ description: "The HTTP status of the last attempt; null without a response." }),
    lastReason: z.string().nullable().meta({ description: "Why the last attempt had no response." }),
  })
  .meta({ id: "FoundDelivery" });
export type FoundDelivery = z.output<typeof foundDelivery>;

export const deliverySearchPage = z
  .object({
    deliveries: z.array(foundDelivery).meta({ description: "Newest first." }),
    nextCursor: searchCursor.nullable().meta({ description: "Null after the last page." }),
    narrow: z
      .boolean()
      .meta({ description: "Whether the search stopped after 50,000 rows before the page was full." }),
  })
  .meta({ id: "DeliverySearchPage" });

/** The most deliveries that one call sends again. */
const maxRedelivered = 200;

/** The states of deliveries that can be sent again, or at once. */
const redeliverable = ["failed", "pending"] as const;

export const redeliverManyInput = deliveryFilter.omit({ status: true }).extend({
  statuses: z
    .array(z.enum(redeliverable))
    .min(1)
    .max(redeliverable.length)
    .default(["failed"])
    .meta({ description: "`pending`: deliveries whose next attempt is later, and that are sent at once." }),
  preview: z.boolean().meta({ description: "true counts the deliveries, and sends nothing." }),
  limit: z.int().min(1).max(maxRedelivered).default(100),
});
type RedeliverMany = z.output<typeof redeliverManyInput>;

export const redeliveredMany = z
  .object({
    matching: z.int().meta({
      description: "The number of deliveries that could be sent again before the call, up to 10,000.",
    }),
    redelivered: z.int(),
    more: z.boolean().meta({ description: "Whether deliveries remain: send the same call again." }),
  })
  .meta({ id: "RedeliveredDeliveries" });

export const endpointHealthQuery = z.object({
  platformIds,
  failing: z
    .literal(true)
    .optional()
    .meta({ description: "Only endpoints whose last attempt failed, or that the service disabled." }),
});

/** The endpoints of several platforms, with what waits for them and what their receivers said last. */
export const endpointHealth = z
  .object({
    endpoints: z
      .array(
        z.object({
          platformId: z.string(),
          platformName: z.string(),
          ...webhookEndpoint.pick({
            endpointId: true,
            description: true,
            enabled: true,
            disabledReason: true,
            disabledAt: true,
            failingSince: true,
          }).shape,
          url: z.string().nullable().meta({ description: "Null without the scope ops.webhooks." }),
          nextAttemptAt: moment.nullable().meta({ description: "When the first pending delivery is due." }),
          lastStatus: z
            .int()
            .nullable()
            .meta({ description: "The HTTP status of a failing endpoint's last attempt." }),
          lastReason: z.string().nullable().meta({ description: "Why that attempt had no response." }),
          pending: z.int().meta({ description: "The pending deliveries, up to 1,000." }),
          failed: z.int().meta({ description: "The failed deliveries of the last 24 hours, up to 1,000." }),
        }),
      )
      .max(200)
      .meta({ description: "The failing ones first, the longest failing before the others." }),
    more: z.boolean().meta({ description: "Whether there are more endpoints: name platforms." }),
  })
  .meta({ id: "EndpointHealth" });
export type EndpointHealth = z.output<typeof endpointHealth>;

/** Which deliveries to send again. */
export type RedeliveryFilter = Omit<RedeliverMany, "platformIds" | "preview" | "limit">;
