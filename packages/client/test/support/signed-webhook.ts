import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

interface SignedOptions {
  webhookId?: string;
  at?: Date;
  secrets: readonly string[];
}

/** A request of cardbridge, signed by an independent implementation of Standard Webhooks. */
export const signedWebhook = (event: object, options: SignedOptions) =>
  signedBody(JSON.stringify(event), options);

/** A signed request with any body. */
export function signedBody(body: string, { webhookId = "msg_1", at = new Date(), secrets }: SignedOptions) {
  const headers = {
    "content-type": "application/json",
    "webhook-id": webhookId,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(webhookId, at, body)).join(" "),
  };
  return { body, headers };
}

/** A `kyc.request_updated` event of the record kyc_1. */
export const requestUpdated = (sequence: number, status: string, documentRequestId = "dreq_1") => ({
  type: "kyc.request_updated",
  timestamp: "2026-11-22T12:00:00.000Z",
  data: {
    kycRecordId: "kyc_1",
    externalUserId: "usr_1",
    sequence,
    documentRequestId,
    documentType: "BANK_STATEMENT",
    dueAt: null,
    status,
  },
});

/** A `kyc.updated` event of a record. */
export const kycUpdated = (sequence: number, status: string, kycRecordId = "kyc_1") => ({
  type: "kyc.updated",
  timestamp: "2026-11-22T12:00:00.000Z",
  data: {
    kycRecordId,
    externalUserId: "usr_1",
    sequence,
    code: "KYC_SUBMITTED",
    status,
    subStatus: status.toLowerCase(),
    cardAccountId: null,
    reasons: [],
  },
});
