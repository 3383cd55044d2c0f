import type { Proposal, ProposedAct } from "@cardbridge/domain";
import { type OperationCall, originOf } from "./call.ts";
import type { Ports } from "./ports.ts";

/**
 * Proposes an act of the operation, for another person to confirm (gap G38).
 * @throws Failure PROPOSAL_CONFLICT for another version, or if an equal proposal is open; the failures of the subject.
 */
export function propose(
  { proposals, ids }: Pick<Ports, "proposals" | "ids">,
  call: OperationCall,
  { act, version, note }: { act: ProposedAct; version?: string | undefined; note?: string | undefined },
): Promise<Proposal> {
  const proposalId = ids.proposalId();
  const personId = call.person?.personId ?? null;
  return proposals.create({ proposalId, act, version, note, personId, by: originOf(call) });
}
