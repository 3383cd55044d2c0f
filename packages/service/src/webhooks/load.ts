import type { Environment, LoadedDelivery, WebhookDeliveries } from "@cardbridge/domain";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import {
  kycHistory,
  kycRecords,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { encryptedTarget } from "./endpoint.ts";
import { decryptTarget } from "./endpoint-key.ts";
import { ownsDelivery } from "./lease.ts";
import { historyOfEvent, payloadColumns, recordOfHistory, toPayload } from "./payload.ts";
import { eventOfDelivery } from "./select-deliveries.ts";

/** The delivery's endpoint is neither disabled nor deleted. */
const receives = and(
  eq(webhookEndpoints.platformId, webhookDeliveries.platformId),
  eq(webhookEndpoints.id, webhookDeliveries.endpointId),
  isNull(webhookEndpoints.disabledAt),
  isNull(webhookEndpoints.deletedAt),
);

const statement = perConnection((tx) =>
  tx
    .select({
      endpointId: webhookEndpoints.id,
      target: encryptedTarget,
      overlaps: sql<boolean>`coalesce(${webhookEndpoints.previousSecretUntil} > clock_timestamp(), false)`,
      traceparent: webhookDeliveries.traceparent,
      ...payloadColumns,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eventOfDelivery)
    .innerJoin(webhookEndpoints, receives)
    .leftJoin(kycHistory, historyOfEvent)
    .leftJoin(kycRecords, recordOfHistory)
    .where(ownsDelivery)
    .prepare("webhook_load"),
);

/** Loads leased deliveries. */
export function loads(
  database: Database,
  verifiedKeys: VerifiedKeys,
  environment: Environment,
): Pick<WebhookDeliveries, "load"> {
  return {
    async load({ platformId, deliveryId, lease }) {
      const { ring } = await verifiedKeys();
      return database.asPlatform<LoadedDelivery | null>(platformId, async (tx) => {
        const loaded = statement(tx).execute({ platformId, deliveryId, lease });
        return pipelineCommit([loaded], ([[row]]) => {
          if (!row) return null;
          const { endpointId, target, overlaps, traceparent } = row;
          const { url, secret, previousSecret } = decryptTarget(target, { platformId, endpointId }, ring);
          const secrets = overlaps && previousSecret !== null ? [secret, previousSecret] : [secret];
          return { webhookId: row.event.id, url, secrets, payload: toPayload(row, environment), traceparent };
        });
      });
    },
  };
}
