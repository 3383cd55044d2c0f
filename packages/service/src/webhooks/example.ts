import type {
  FoundDelivery,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEndpoint,
} from "@cardbridge/domain";

export const exampleEndpoint: WebhookEndpoint = {
  endpointId: "whe_01jexample0000000000000000",
  url: "https://hooks.example.com/cardbridge",
  eventTypes: ["kyc.updated", "card.updated"],
  description: "backend",
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: "2026-01-31T12:00:00.000Z",
};

/** The secret, shortened. */
export const exampleSecret = "whsec_MfKQ9r8G…";

export const exampleDelivery: WebhookDelivery = {
  deliveryId: "whd_01jexample0000000000000000",
  endpointId: exampleEndpoint.endpointId,
  webhookId: "msg_01jexample0000000000000000",
  type: "kyc.updated",
  kycRecordId: "kyc_01jexample0000000000000000",
  sequence: 2,
  status: "delivered",
  attempts: 1,
  createdAt: "2026-01-31T12:00:01.000Z",
  dueAt: null,
  deliveredAt: "2026-01-31T12:00:02.000Z",
};

/** The same delivery before its first attempt. */
export const exampleDue: WebhookDelivery = {
  ...exampleDelivery,
  status: "pending",
  attempts: 0,
  dueAt: exampleDelivery.createdAt,
  deliveredAt: null,
};

export const exampleDeliveryDetails: WebhookDeliveryDetails = {
  ...exampleDelivery,
  history: [
    {
      attempt: 1,
      startedAt: "2026-01-31T12:00:01.500Z",
      milliseconds: 120,
      status: 200,
      reason: null,
      excerpt: "ok",
    },
  ],
};

export const exampleFound: FoundDelivery = {
  ...exampleDelivery,
  platformId: "plt_01jexample0000000000000000",
  platformName: "Example Ltd",
  status: "failed",
  lastStatus: 500,
  lastReason: null,
};
