import type { WebhookDeliveries, WebhookEndpoints } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { createKeyGate } from "../sealing/key-gate.ts";
import type { Keys } from "../sealing/keys.ts";
import { endpointChanges } from "./change-endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { otherEvents } from "./events.ts";
import { leases } from "./lease.ts";
import { loads } from "./load.ts";
import { deliveryReads } from "./read-deliveries.ts";
import { records } from "./record.ts";
import { redeliveries } from "./redeliver.ts";
import { upkeep } from "./upkeep.ts";

/** The webhook endpoints of platforms and their deliveries; see the port for the contract. */
export function webhookEndpointsRepository(database: Database, keys: Keys): WebhookEndpoints {
  const keyGate = createKeyGate(database, keys);
  return {
    ...endpoints(database, keyGate),
    ...endpointChanges(database, keyGate),
    ...deliveryReads(database, keyGate),
    ...redeliveries(database),
    test: otherEvents(database).test,
  };
}

export interface WebhookDeliveriesOptions {
  keys: Keys;
  /** How long a lease owns its delivery, in seconds; longer than an attempt may take. A minute by default. */
  leaseSeconds?: number | undefined;
}

/** The outbox of events; see the port for the contract. */
export function webhookDeliveriesRepository(
  database: Database,
  { keys, leaseSeconds = 60 }: WebhookDeliveriesOptions,
): WebhookDeliveries {
  const keyGate = createKeyGate(database, keys);
  return {
    ...leases(database, `${leaseSeconds} seconds`),
    ...loads(database, keyGate),
    ...records(database, keyGate),
    ...upkeep(database),
    cardUpdated: otherEvents(database).cardUpdated,
  };
}
