import type { Environment, WebhookDeliveries } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { leases } from "./lease.ts";
import { loads } from "./load.ts";
import { records } from "./record.ts";

export interface WebhookDeliveriesOptions {
  keys: KeySet;
  /** The environment of the service, which every event names. */
  environment: Environment;
  /** How long a lease owns its delivery, in seconds. Must exceed the longest attempt. Default: one minute. */
  leaseSeconds?: number | undefined;
}

/** The outbox of events; see the port for the contract. */
export function webhookDeliveriesRepository(
  database: Database,
  { keys, environment, leaseSeconds = 60 }: WebhookDeliveriesOptions,
): WebhookDeliveries {
  const verifiedKeys = createVerifiedKeys(database, keys);
  return {
    ...leases(database, `${leaseSeconds} seconds`),
    ...loads(database, verifiedKeys, environment),
    ...records(database, verifiedKeys),
  };
}
