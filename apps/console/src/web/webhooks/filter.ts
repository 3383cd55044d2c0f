import { idLike, oneOf, sinceOf, type Within, withins, withoutAbsent } from "../lib/search-params.ts";
import { words } from "./words.ts";

export const deliveryStates = ["pending", "delivered", "failed"] as const;
export const eventTypes = Object.keys(words.typeOf) as (keyof typeof words.typeOf)[];
/** The events that an endpoint can subscribe to. */
export const subscribedTypes = eventTypes.filter((type) => type !== "webhook.test");

/** The filters of the deliveries as search parameters. */
export interface DeliveriesSearch {
  platform?: string;
  status?: (typeof deliveryStates)[number];
  type?: (typeof eventTypes)[number];
  endpoint?: string;
  record?: string;
  within?: Within;
}

/** Reads the search parameters of an address. What is not valid is left out. */
export const validateDeliveriesSearch = (raw: Record<string, unknown>): DeliveriesSearch =>
  withoutAbsent({
    platform: idLike(raw.platform),
    status: oneOf(raw.status, deliveryStates),
    type: oneOf(raw.type, eventTypes),
    endpoint: idLike(raw.endpoint),
    record: idLike(raw.record),
    within: oneOf(raw.within, withins),
  });

/** The filter without the state, as webhooks.redeliverMany reads it. */
export const toDeliveryFilter = (
  { platform, type, endpoint, record, within }: DeliveriesSearch,
  now: number,
) =>
  withoutAbsent({
    platformIds: platform === undefined ? undefined : [platform],
    type,
    endpointId: endpoint,
    kycRecordId: record,
    createdAfter: within && sinceOf(within, now),
  });
