import { Failure, type ProposalConflict, type ProposalDetails } from "@cardbridge/domain";
import type { Call } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";
import { readerOf, scopeOfKind } from "./reader.ts";

/** @throws Failure PROPOSAL_NOT_FOUND; SCOPE_MISSING if the caller may not decide about this kind of act. */
export async function findProposal(
  { proposals }: Pick<Ports, "proposals">,
  call: Call,
  proposalId: string,
): Promise<ProposalDetails> {
  const reader = readerOf(call);
  const found = await proposals.show(proposalId, reader);
  if (!found) throw new Failure("PROPOSAL_NOT_FOUND");
  if (reader.kinds.includes(found.kind)) return found;
  const message = `This proposal requires a person and a key with the scope ${scopeOfKind[found.kind]}.`;
  throw new Failure("SCOPE_MISSING", { violations: [{ path: [], rule: "scope", message }] });
}

const messages: Record<ProposalConflict, string> = {
  decided: "The proposal was confirmed or withdrawn.",
  expired: "The proposal expired. Propose the act again.",
  changed:
    "What the proposer saw has changed, so the proposal is void. Look at it again, and propose it again.",
  "same-person": "The proposer cannot confirm the proposal. Another person has to.",
  "proposer-blocked": "The person who proposed it is blocked, so the proposal is void.",
  "evidence-not-opened":
    "You have not opened the evidence at its present state. Open it, and confirm it then.",
  "proposer-evidence-not-opened":
    "The person who proposed it has not opened the evidence at its present state, and has to.",
};

export function proposalConflict(
  why: ProposalConflict,
  details: { platformId: string; subject: string },
): Failure {
  return new Failure("PROPOSAL_CONFLICT", {
    violations: [{ path: ["proposalId"], rule: why, message: messages[why] }],
    audit: details,
  });
}
