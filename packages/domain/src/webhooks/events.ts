import * as z from "zod";
import { cardId } from "../cards/card-id.ts";
import { moment } from "../input/formats.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import type { Environment } from "../keys/environment.ts";
import type { DocumentExpiry } from "../kyc/document-expiry.ts";
import { documentRequest } from "../kyc/document-requests.ts";
import { kycReasonCodes } from "../kyc/reasons.ts";
import type { KycState } from "../kyc/record.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { resultCodes, toKycResult } from "../kyc/result.ts";
import { kycStatus, kycSubStatus } from "../kyc/status.ts";

const externalUserId = z
  .string()
  .meta({ description: "The id under which the card provider knows the user." });

/** @param use what a receiver compares it with. Each type reports another state, so the types are not compared. */
const sequence = (use: string) =>
  z
    .int()
    .min(1)
    .meta({
      description: `The number of this change within its record, starting at 1, over all types of events. ${use}`,
    });

/** The data of `kyc.updated`: ids and statuses, and no personal data. */
export const kycUpdated = z
  .object({
    kycRecordId,
    externalUserId,
    sequence: sequence("A kyc.updated with a lower number than the record's last one is stale: ignore it."),
    code: extensibleEnum(resultCodes).meta({ description: "The code of a response after this change." }),
    status: kycStatus.nullable().meta({ description: "The unified status after this change." }),
    subStatus: kycSubStatus.nullable().meta({ description: "The provider's raw status after this change." }),
    cardAccountId: z
      .string()
      .nullable()
      .meta({ description: "The provider's card account id; null if the provider returned none." }),
    reasons: z
      .array(extensibleEnum(kycReasonCodes))
      .meta({ description: "The codes of the reasons for a refusal or a rejection; otherwise empty." }),
  })
  .meta({ id: "KycUpdated" });
export type KycUpdated = z.output<typeof kycUpdated>;

/** Converts a record's state after a change into the data of its event. */
export function toKycUpdated(
  ids: { kycRecordId: string; externalUserId: string; sequence: number },
  state: KycState,
): KycUpdated {
  const { code, status, subStatus, cardAccountId, reasons = [] } = toKycResult({ ...ids, ...state });
  return { ...ids, code, status, subStatus, cardAccountId, reasons: reasons.map((reason) => reason.code) };
}

/** The data of `kyc.request_updated`: the provider asks for a document, or the state of its request changed (G43). */
export const kycRequestUpdated = z
  .object({
    kycRecordId,
    externalUserId,
    sequence: sequence("An event with a lower number than the last one of its request is stale: ignore it."),
    ...documentRequest.pick({ documentRequestId: true, documentType: true, dueAt: true, status: true }).shape,
  })
  .meta({ id: "KycRequestUpdated" });
export type KycRequestUpdated = z.output<typeof kycRequestUpdated>;

/** The data of an event about the document of an approved record (G44). It does not have the date. */
const documentExpiryChanged = <Expiry extends DocumentExpiry>(documentExpiry: Expiry) =>
  z.object({
    kycRecordId,
    externalUserId,
    sequence: sequence("A record has at most one event of this type."),
    documentExpiry: z.literal(documentExpiry).meta({ description: "The state of the document." }),
  });
export const kycDocumentExpiring = documentExpiryChanged("expiring").meta({ id: "KycDocumentExpiring" });
export const kycDocumentExpired = documentExpiryChanged("expired").meta({ id: "KycDocumentExpired" });

/** The data of `card.updated`: the provider reported a change of this card. */
export const cardUpdated = z
  .object({
    cardId,
    externalUserId,
    status: z
      .string()
      .nullable()
      .meta({ description: "The provider's raw card status; null if not reported." }),
  })
  .meta({ id: "CardUpdated" });
export type CardUpdated = z.output<typeof cardUpdated>;

/** The data of `webhook.test`: a caller requested the event. */
export const webhookTested = z
  .object({ endpointId: z.string().meta({ description: "The endpoint that receives the test." }) })
  .meta({ id: "WebhookTested" });

/**
 * Why the service disables an endpoint by itself. `gone`: it responded with 410. `failing`: every attempt failed for five
 * days. `backlog`: too many deliveries were pending.
 */
export const automaticReasons = ["gone", "failing", "backlog"] as const;

/** The data of `webhook.endpoint_disabled`, for the platform's other endpoints: the disabled one receives nothing. */
const webhookEndpointDisabled = z
  .object({
    endpointId: z.string().meta({ description: "The endpoint that the service disabled." }),
    reason: extensibleEnum(automaticReasons).meta({ description: "Why, as its disabledReason." }),
    disabledAt: moment.meta({ description: "When the endpoint was disabled." }),
  })
  .meta({ id: "WebhookEndpointDisabled" });

/** Every type of event with the schema of its data. The list may grow. */
export const webhookEvents = {
  "kyc.updated": { data: kycUpdated, summary: "A KYC record changed" },
  "kyc.request_updated": {
    data: kycRequestUpdated,
    summary: "A request of the provider for a document changed",
  },
  "kyc.document_expiring": { data: kycDocumentExpiring, summary: "The document of an approval expires soon" },
  "kyc.document_expired": { data: kycDocumentExpired, summary: "The document of an approval has expired" },
  "card.updated": { data: cardUpdated, summary: "A card changed" },
  "webhook.endpoint_disabled": {
    data: webhookEndpointDisabled,
    summary: "The service disabled an endpoint of the platform",
  },
  "webhook.test": { data: webhookTested, summary: "A test that a caller requested" },
} as const;

export type WebhookEventType = keyof typeof webhookEvents;
type RecordEventType = Exclude<Extract<WebhookEventType, `kyc.${string}`>, "kyc.updated">;
/**
 * What the history of a record keeps of an event that is no change of the state: the type, and the data without the ids.
 * The database writes it.
 */
export type RecordEvent = {
  [Type in RecordEventType]: { type: Type } & Omit<
    z.output<(typeof webhookEvents)[Type]["data"]>,
    "kycRecordId" | "externalUserId" | "sequence"
  >;
}[RecordEventType];
export type SubscribedEventType = Exclude<WebhookEventType, "webhook.test">;
export const webhookEventTypes = Object.keys(webhookEvents) as [WebhookEventType, ...WebhookEventType[]];
/** The types that an endpoint can subscribe to. A test goes only to its own endpoint. */
export const subscribedEventTypes = webhookEventTypes.filter((type) => type !== "webhook.test") as [
  SubscribedEventType,
  ...SubscribedEventType[],
];

/** The body of a delivery (Standard Webhooks 1.0.0). It is the same at every attempt. */
export type WebhookPayload = {
  [Type in WebhookEventType]: {
    type: Type;
    /** The environment of the service (gap G36). */
    environment: Environment;
    /** When the change was stored; RFC 3339, in UTC. */
    timestamp: string;
    data: z.output<(typeof webhookEvents)[Type]["data"]>;
  };
}[WebhookEventType];
