import type {
  EvidenceOpening,
  RecordDetails,
  RecordNext,
  RecordRow,
  RecordState,
  RecordSummary,
  RecordView,
  StoredAttempt,
} from "@cardbridge/domain";

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
  version: "1",
  status: null,
  subStatus: null,
  cardAccountId: null,
  revision: null,
  traceId: null,
  explanation: null,
  history: [
    {
      resolution: "unresolved",
      status: null,
      subStatus: null,
      explanation: null,
      source: "submission",
      by: null,
      proposedBy: null,
      observedAt: "2026-01-31T12:00:00.000Z",
    },
  ],
  documentExpiry: null,
  renews: null,
  renewal: null,
  requests: [],
  requestHistory: [],
  expiryHistory: [],
  providerSteps: [],
  assignee: null,
  assignedRole: null,
  assignedAt: null,
  assignmentVersion: 0,
  notes: 1,
};

export const exampleNext: RecordNext = {
  situation: "retrying",
  operator:
    "2 attempts brought no decision: the provider did not answer in time. Workers try again. You need not do anything.",
  person: "We are still checking your documents. You need not do anything now.",
  action: "none",
  roles: [],
  manual: false,
};

export const exampleResolved: RecordDetails = {
  ...exampleDetails,
  resolution: "answered",
  status: "APPROVED",
  subStatus: "approved",
  documentExpiry: "valid",
  cardAccountId: "acct_0a1b2c3d",
  dueAt: null,
};

export const exampleAttempt: StoredAttempt = {
  number: 1,
  lastNumber: 1,
  step: "send",
  startedAt: "2026-01-31T12:00:00.000Z",
  lastStartedAt: "2026-01-31T12:00:00.000Z",
  milliseconds: 10_000,
  outcome: "unknown",
  reason: "deadline",
  words: "the provider did not answer in time",
  by: "submission",
  count: 1,
};

export const exampleRow: RecordRow = {
  kycRecordId: exampleSummary.kycRecordId,
  platformId: exampleSummary.platformId,
  platformName: "Example Ltd",
  externalUserId: exampleDetails.externalUserId,
  resolution: "unresolved",
  status: null,
  subStatus: null,
  reasons: [],
  requested: [],
  documentExpiry: null,
  renews: null,
  createdAt: exampleSummary.createdAt,
  dueAt: null,
  needsAttentionSince: "2026-01-31T12:30:00.000Z",
  lastAttempt: {
    outcome: "unknown",
    reason: "deadline",
    words: "the provider did not answer in time",
    at: "2026-01-31T12:29:00.000Z",
    count: 8,
  },
  assignee: null,
  assignedRole: null,
  assignmentVersion: 0,
};

export const exampleState: RecordState = {
  kycRecordId: exampleSummary.kycRecordId,
  platformId: exampleSummary.platformId,
  resolution: "unresolved",
  status: null,
  subStatus: null,
  documentExpiry: null,
  attempt: 3,
  dueAt: "2026-01-31T12:00:30.000Z",
  leaseUntil: null,
  needsAttentionSince: null,
  version: "1",
  assignee: null,
  assignedRole: null,
  assignedAt: null,
  assignmentVersion: 0,
  notes: 1,
  readAt: "2026-01-31T12:00:20.000Z",
};

export const exampleView: RecordView = {
  by: { personId: "per_01jexample0000000000000000", name: "Ada" },
  actor: "per_01jexample0000000000000000/key_01jexample0000000000000000",
  at: "2026-01-31T12:00:10.000Z",
};

export const exampleOpening: EvidenceOpening = {
  by: { personId: "per_01jexample0000000000000000", name: "Ada" },
  purpose: "review",
  at: "2026-01-31T12:00:12.000Z",
};
