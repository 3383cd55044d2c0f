import { proposalDetails, proposalReference } from "@cardbridge/domain";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import { decideProposal } from "./decide.ts";
import { readProposal } from "./get.ts";
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
    // Its kind decides who may withdraw it.
    await readProposal(ports, call, proposalId);
    const personId = call.person?.personId ?? null;
    await ports.database.asPlatform(call.platformId, async (tx) => {
      await decideProposal(tx, proposalId, { decision: "withdrawn", personId, evidenceHash: null });
      return pipelineCommit([audit(tx, call, proposalId)], () => undefined);
    });
    return { data: await readProposal(ports, call, proposalId) };
  },
});
