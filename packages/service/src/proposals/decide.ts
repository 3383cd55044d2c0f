import { Failure } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Tx } from "../database/statements.ts";

/** Why a proposal was not decided. */
type ProposalConflict =
  | "decided"
  | "expired"
  | "changed"
  | "same-person"
  | "proposer-blocked"
  | "evidence-not-opened"
  | "proposer-evidence-not-opened";

interface Decision {
  decision: "confirmed" | "withdrawn";
  personId: string | null;
  evidenceHash: string | null;
}

/**
 * Decides a proposal in the transaction of the decision, by `decide_proposal` of
 * database/migrations/0014_records_and_proposals.sql.
 * @throws Failure PROPOSAL_CONFLICT that says why the database did not decide it; PROPOSAL_NOT_FOUND; PERSON_BLOCKED for
 *   a person who is blocked or unknown.
 */
export async function decide(
  tx: Tx,
  proposalId: string,
  { decision, personId, evidenceHash }: Decision,
): Promise<void> {
  const { rows } = await tx.execute<{ result: ProposalConflict | "done" | "unknown-person" | null }>(
    sql`select decide_proposal(${proposalId}, ${decision}, ${personId}, ${evidenceHash}) as result`,
  );
  const result = rows[0]?.result ?? null;
  if (result === null) throw new Failure("PROPOSAL_NOT_FOUND");
  if (result === "unknown-person") throw new Failure("PERSON_BLOCKED");
  if (result !== "done") throw conflict(proposalId, result);
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

function conflict(proposalId: string, why: ProposalConflict): Failure {
  return new Failure("PROPOSAL_CONFLICT", {
    violations: [{ path: ["proposalId"], rule: why, message: messages[why] }],
    subject: proposalId,
  });
}
