import { proposalDetails, proposalReference } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import { decide } from "./decide.ts";
import { findProposal } from "./find.ts";
import { deciderScopes, exampleProposalDetails } from "./proposal.ts";

/** Withdraws an open proposal. */
export const withdrawProposal = defineOperation({
  ...forOperators(...deciderScopes),
  id: "proposals.withdraw",
  kind: "write",
  summary: "Withdraw a proposal",
  description:
    "Withdraws an open proposal: the proposer takes it back, or another person with the scope of the act refuses it.",
  input: proposalReference,
  rules: [],
  output: proposalDetails,
  example: {
    input: { proposalId: exampleProposalDetails.proposalId },
    output: { ...exampleProposalDetails, state: "withdrawn", evidenceOpened: null, mayConfirm: false },
  },
  errors: ["PROPOSAL_NOT_FOUND", "PROPOSAL_CONFLICT"],
  // `run` audits in its transaction.
  audit: [],

  async run(ports, call, { proposalId }) {
    await findProposal(ports, call, proposalId);
    const personId = call.person?.personId ?? null;
    await ports.database.asPlatform(call.platformId, async (tx) => {
      await decide(tx, proposalId, { decision: "withdrawn", personId, evidenceHash: null });
      await audit(tx, call, proposalId);
    });
    return { data: await findProposal(ports, call, proposalId) };
  },
});
