import * as z from "zod";
import { moment } from "../input/formats.ts";
import { environments } from "../keys/environment.ts";
import { type WebhookEventType, type WebhookPayload, webhookEvents, webhookEventTypes } from "./events.ts";

const examples = {
  "kyc.updated": {
    kycRecordId: "kyc_01jexample0000000000000000",
    externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
    sequence: 2,
    code: "KYC_SUBMITTED",
    status: "APPROVED",
    subStatus: "approved",
    cardAccountId: "acct_0a1b2c3d",
    reasons: [],
  },
  "kyc.request_updated": {
    kycRecordId: "kyc_01jexample0000000000000000",
    externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
    sequence: 3,
    documentRequestId: "dreq_01jexample0000000000000000",
    documentType: "BANK_STATEMENT",
    dueAt: "2026-02-14T12:00:00.000Z",
    status: "open",
  },
  "kyc.document_expiring": {
    kycRecordId: "kyc_01jexample0000000000000000",
    externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
    sequence: 4,
    documentExpiry: "expiring",
  },
  "kyc.document_expired": {
    kycRecordId: "kyc_01jexample0000000000000000",
    externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
    sequence: 5,
    documentExpiry: "expired",
  },
  "card.updated": {
    cardId: "card_0a1b2c3d",
    externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
    status: "locked",
  },
  "webhook.endpoint_disabled": {
    endpointId: "whe_01jexample0000000000000000",
    reason: "backlog",
    disabledAt: "2026-01-31T12:00:01.000Z",
  },
  "webhook.test": { endpointId: "whe_01jexample0000000000000000" },
} as const satisfies { [Type in WebhookEventType]: z.input<(typeof webhookEvents)[Type]["data"]> };

/** The published body of every type of event, with an example. */
export const webhookPayloads = webhookEventTypes.map((type) => {
  const { data, summary } = webhookEvents[type];
  const schema = z
    .object({
      type: z.literal(type).meta({ description: "The type of the event." }),
      environment: z.enum(environments).meta({ description: "The environment of the service." }),
      timestamp: moment.meta({ description: "When the change was stored; RFC 3339, in UTC." }),
      data,
    })
    .meta({ id: `${data.meta()?.id}Event` });
  const example = { type, environment: "test", timestamp: "2026-01-31T12:00:01.000Z", data: examples[type] };
  return { type, summary, schema, example: example as unknown as WebhookPayload };
});
