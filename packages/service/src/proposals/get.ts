import { proposalDetails, proposalReference } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { findProposal } from "./find.ts";
import { deciderScopes, exampleProposalDetails } from "./proposal.ts";

/** Reads a proposal with what it changes. */
export const getProposal = defineOperation({
  ...forOperators(...deciderScopes),
  id: "proposals.get",
  kind: "read",
  summary: "Read a proposal",
  description:
    "Reads a proposal with its note and what it changes, new identifiers included. A caller's reads are audited once an " +
    "hour.",
  input: proposalReference,
  rules: [],
  output: proposalDetails,
  example: {
    input: { proposalId: exampleProposalDetails.proposalId },
    output: exampleProposalDetails,
  },
  errors: ["PROPOSAL_NOT_FOUND"],
  audit: ["done"],
  oncePerHour: true,

  async run(ports, call, { proposalId }) {
    return { data: await findProposal(ports, call, proposalId), subject: proposalId };
  },
});
