import { oneOf, sinceOf, type Within, withins, withoutAbsent } from "../lib/search-params.ts";
import { words } from "./words.ts";

const deliveryStates = ["pending", "delivered", "failed"] as const;
const eventTypes = Object.keys(words.typeOf) as (keyof typeof words.typeOf)[];
/** The events that an endpoint can subscribe to. */
export const subscribedTypes = eventTypes.filter((type) => type !== "webhook.test");

/** The filters of an endpoint's deliveries as search parameters. */
export interface DeliveriesSearch {
  status?: (typeof deliveryStates)[number];
  type?: (typeof eventTypes)[number];
  within?: Within;
}

/** Reads the search parameters of an address. What is not valid is left out. */
export const validateDeliveriesSearch = (raw: Record<string, unknown>): DeliveriesSearch =>
  withoutAbsent({
    status: oneOf(raw.status, deliveryStates),
    type: oneOf(raw.type, eventTypes),
    within: oneOf(raw.within, withins),
  });

/** An endpoint, as the address of its page names it. */
export interface Reference {
  platformId: string;
  endpointId: string;
}

/** The filter without the state, in the service's words. */
export const toDeliveryFilter = (
  { platformId, endpointId }: Reference,
  { type, within }: DeliveriesSearch,
  now: number,
) =>
  withoutAbsent({
    platformIds: [platformId],
    endpointId,
    type,
    createdAfter: within && sinceOf(within, now),
  });
