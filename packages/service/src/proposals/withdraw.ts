import { Failure, proposalDetails, proposalReference } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleProposalDetails } from "./example.ts";
import { findProposal, proposalConflict } from "./find.ts";
import { deciderScopes } from "./reader.ts";

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
  // The repository audits in its transaction.
  audit: [],

  async run(ports, call, { proposalId }) {
    const found = await findProposal(ports, call, proposalId);
    const personId = call.person?.personId ?? null;
    const by = { ...originOf(call), personId };
    const result = await ports.proposals.withdraw(proposalId, by);
    if (!result) throw new Failure("PROPOSAL_NOT_FOUND");
    const audited = { platformId: found.platformId, subject: proposalId };
    if (!result.withdrawn) throw proposalConflict(result.why, audited);
    return { data: await findProposal(ports, call, proposalId) };
  },
});
