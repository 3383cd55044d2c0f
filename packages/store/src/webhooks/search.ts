import type { WebhookSearch } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { notBuilt } from "../not-built.ts";

/** See the port for the contract. */
export function webhookSearch(_database: Database): WebhookSearch {
  return notBuilt();
}
