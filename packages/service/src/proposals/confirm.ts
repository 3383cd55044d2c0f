import { Failure, proposalDetails, proposalReference } from "@cardbridge/domain";
import { currentEvidenceHash } from "../evidence/evidence.ts";
import { observeChange } from "../kyc/observe.ts";
import { forPersons } from "../operation/actors.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import { exampleConfirmed } from "./example.ts";
import { findProposal, proposalConflict } from "./find.ts";
import { deciderScopes } from "./reader.ts";

/** Confirms what another person proposed, and carries it out. */
export const confirmProposal = defineOperation({
  ...forPersons(...deciderScopes),
  recentSignIn: true,
  id: "proposals.confirm",
  kind: "write",
  summary: "Confirm a proposal",
  description:
    "Carries out an act that another person proposed, if what the proposer saw has not changed. The proposer cannot " +
    "confirm it, nor can the command line. An approval needs that both persons have opened the evidence.",
  input: proposalReference,
  rules: [],
  output: proposalDetails,
  example: { input: { proposalId: exampleConfirmed.proposalId }, output: exampleConfirmed },
  errors: [
    "PERSON_REQUIRED",
    "PERSON_BLOCKED",
    "PROPOSAL_NOT_FOUND",
    "PROPOSAL_CONFLICT",
    "KYC_RECORD_CONFLICT",
    "USER_IDENTITY_CONFLICT",
  ],
  // The repository audits a confirmation in its transaction.
  audit: ["PROPOSAL_CONFLICT", "USER_IDENTITY_CONFLICT"],

  async run(ports, call, { proposalId }) {
    const personId = requirePerson(call);
    const found = await findProposal(ports, call, proposalId);
    const { kind, state, kycRecordId, platformId } = found;
    const isOpenApproval = kind === "approve" && state === "open" && kycRecordId !== null;
    const evidenceHash = isOpenApproval
      ? await currentEvidenceHash(ports, { platformId, kycRecordId })
      : null;
    const by = originOf(call);
    const noteId = ports.ids.noteId();
    const result = await ports.proposals.confirm(proposalId, { personId, evidenceHash, noteId, by });
    if (!result) throw new Failure("PROPOSAL_NOT_FOUND");
    const audited = { platformId: found.platformId, subject: proposalId };
    if (!result.confirmed) throw proposalConflict(result.why, audited);
    if (result.change) observeChange(ports.observer, result.change);
    return { data: await findProposal(ports, call, proposalId) };
  },
});
