import type { Proposal, ProposalDetails } from "@cardbridge/domain";

export const exampleProposal: Proposal = {
  proposalId: "prop_01jexample0000000000000000",
  kind: "approve",
  state: "open",
  platformId: "plt_01jexample0000000000000000",
  platformName: "Example Ltd",
  externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
  kycRecordId: "kyc_01jexample0000000000000000",
  holdId: null,
  evidenceHash: "0".repeat(64),
  evidenceOpened: { proposer: true, caller: false },
  proposer: { personId: "per_01jexample0000000000000000", name: "Ada" },
  proposedBy: "per_01jexample0000000000000000/key_01jexample0000000000000000",
  proposedAt: "2026-01-31T12:45:00.000Z",
  expiresAt: "2026-02-01T12:45:00.000Z",
  decidedBy: null,
  decidedAt: null,
  mayConfirm: true,
  mayWithdraw: false,
};

export const exampleProposalDetails: ProposalDetails = {
  ...exampleProposal,
  note: "The provider confirmed the approval by telephone, case 4711.",
  subStatus: "approved",
  cardAccountId: "acct_0a1b2c3d",
  email: null,
  memberId: null,
  reference: null,
  whenProposed: { erasure: "none", held: false },
  now: { erasure: "none", held: false },
};

export const exampleConfirmed: ProposalDetails = {
  ...exampleProposalDetails,
  state: "confirmed",
  evidenceOpened: null,
  decidedBy: { personId: "per_01jexample0000000000000001", name: "Grace" },
  decidedAt: "2026-01-31T13:00:00.000Z",
  mayConfirm: false,
};
