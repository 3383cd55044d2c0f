import { type Environment, type KycState, toKycUpdated, type WebhookPayload } from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import { kycHistory, kycRecords, webhookDeliveries, webhookEvents } from "../database/schema.ts";

/** What the body of a delivery is made of. The content of a KYC event is its history row, which never changes. */
export const payloadColumns = {
  event: webhookEvents,
  kycRecordId: webhookDeliveries.recordId,
  externalUserId: kycRecords.userId,
  state: {
    resolution: kycHistory.resolution,
    status: kycHistory.status,
    subStatus: kycHistory.subStatus,
    cardAccountId: kycHistory.cardAccountId,
    revision: kycHistory.revision,
    explanation: kycHistory.explanation,
  },
};

export const historyOfEvent = eq(kycHistory.id, webhookEvents.kycHistoryId);
export const recordOfHistory = and(
  eq(kycRecords.platformId, kycHistory.platformId),
  eq(kycRecords.id, kycHistory.recordId),
);

interface LoadedEvent {
  event: typeof webhookEvents.$inferSelect;
  kycRecordId: string | null;
  externalUserId: string | null;
  state: KycState | null;
}

/** The body of a delivery, from a row of `payloadColumns`. */
export function toPayload(
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
