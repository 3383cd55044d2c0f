import type { UserFacts } from "@cardbridge/domain";

export const exampleUser: UserFacts = {
  platformId: "plt_01jexample0000000000000000",
  externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
  createdAt: "2026-01-31T12:00:00.000Z",
  erasure: "none",
  held: false,
  version: "0123456789abcdef",
  records: [
    {
      kycRecordId: "kyc_01jexample0000000000000000",
      resolution: "answered",
      status: "APPROVED",
      createdAt: "2026-01-31T12:00:00.000Z",
      needsAttentionSince: null,
    },
  ],
};

export const exampleUserReference = {
  platformId: exampleUser.platformId,
  externalUserId: exampleUser.externalUserId,
};
