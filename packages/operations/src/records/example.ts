import type { RecordDetails, RecordSummary } from "@cardbridge/domain";

export const exampleSummary: RecordSummary = {
  kycRecordId: "kyc_01jexample0000000000000000",
  platformId: "plt_01jexample0000000000000000",
  resolution: "unresolved",
  attempt: 3,
  step: "ask",
  notFound: 0,
  createdAt: "2026-01-31T12:00:00.000Z",
  dueAt: "2026-01-31T12:00:30.000Z",
  leaseUntil: null,
  needsAttentionSince: null,
  readAt: "2026-01-31T12:00:20.000Z",
};

export const exampleDetails: RecordDetails = {
  ...exampleSummary,
  externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
  status: null,
  subStatus: null,
  cardAccountId: null,
  revision: null,
  explanation: null,
  history: [
    {
      resolution: "unresolved",
      status: null,
      subStatus: null,
      explanation: null,
      source: "submission",
      observedAt: "2026-01-31T12:00:00.000Z",
    },
  ],
  providerSteps: [],
};

export const exampleResolved: RecordDetails = {
  ...exampleDetails,
  resolution: "answered",
  status: "APPROVED",
  subStatus: "approved",
  cardAccountId: "acct_0a1b2c3d",
  dueAt: null,
};
