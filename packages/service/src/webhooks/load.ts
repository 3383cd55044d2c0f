import {
  type Environment,
  type KycState,
  type LoadedDelivery,
  toKycUpdated,
  type WebhookDeliveries,
  type WebhookPayload,
} from "@cardbridge/domain";
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
      event: webhookEvents,
      kycRecordId: webhookDeliveries.recordId,
      traceparent: webhookDeliveries.traceparent,
      externalUserId: kycRecords.userId,
      state: {
        resolution: kycHistory.resolution,
        status: kycHistory.status,
        subStatus: kycHistory.subStatus,
        cardAccountId: kycHistory.cardAccountId,
        revision: kycHistory.revision,
        explanation: kycHistory.explanation,
      },
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eventOfDelivery)
    .innerJoin(webhookEndpoints, receives)
    .leftJoin(kycHistory, eq(kycHistory.id, webhookEvents.kycHistoryId))
    .leftJoin(
      kycRecords,
      and(eq(kycRecords.platformId, kycHistory.platformId), eq(kycRecords.id, kycHistory.recordId)),
    )
    .where(ownsDelivery)
    .prepare("webhook_load"),
);

/** Loads leased deliveries. The payload of a KYC event comes from its history row, which never changes. */
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

interface LoadedEvent {
  event: typeof webhookEvents.$inferSelect;
  kycRecordId: string | null;
  externalUserId: string | null;
  state: KycState | null;
}

function toPayload(
  { event, kycRecordId, externalUserId, state }: LoadedEvent,
  environment: Environment,
): WebhookPayload {
  const { type, sequence, data } = event;
  const timestamp = event.createdAt.toISOString();
  if (type !== "kyc.updated")
    return { type, environment, timestamp, data } as Exclude<WebhookPayload, { type: "kyc.updated" }>;
  if (kycRecordId === null || externalUserId === null || sequence === null || state === null) {
    throw new Error("A KYC event lacks its change.");
  }
  return {
    type,
    environment,
    timestamp,
    data: toKycUpdated({ kycRecordId, externalUserId, sequence }, state),
  };
}
