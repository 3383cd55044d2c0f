import type { WebhookSearch } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import { searchDeliveries } from "./delivery-search.ts";
import { readHealth } from "./read-health.ts";
import { redeliverMany } from "./redeliver-matching.ts";

/** Endpoints and deliveries over several platforms; see the port for the contract. */
export function webhookSearch(database: Database): WebhookSearch {
  return {
    search: (platforms, query) => searchDeliveries(database, platforms, query),
    health: (platforms) => database.asOperators(platforms, readHealth),
    redeliver: (platforms, filter, limit, by) => redeliverMany(database, { platforms, filter, limit, by }),
  };
}
