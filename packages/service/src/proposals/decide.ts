import { Failure } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Tx } from "../database/statements.ts";

/** Why a proposal was not decided, and the message about it. */
const conflicts = {
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

interface Decision {
  decision: "confirmed" | "withdrawn";
  personId: string | null;
  evidenceHash: string | null;
}

/**
 * Decides a proposal in the caller's transaction, and locks what it is about. The database refuses the same person twice,
 * and an approval if one of the two has not opened its evidence (gap G38).
 * @throws Failure PROPOSAL_NOT_FOUND; PERSON_BLOCKED for a person who is blocked or unknown; PROPOSAL_CONFLICT.
 */
export async function decideProposal(
  tx: Tx,
  proposalId: string,
  { decision, personId, evidenceHash }: Decision,
): Promise<void> {
  const { rows } = await tx.execute<{ result: keyof typeof conflicts | "done" | "unknown-person" | null }>(
    sql`select decide_proposal(${proposalId}, ${decision}, ${personId}, ${evidenceHash}) as result`,
  );
  const result = rows[0]?.result ?? null;
  if (result === "done") return;
  if (result === null) throw new Failure("PROPOSAL_NOT_FOUND");
  if (result === "unknown-person") throw new Failure("PERSON_BLOCKED");
  throw new Failure("PROPOSAL_CONFLICT", {
    violations: [{ path: ["proposalId"], rule: result, message: conflicts[result] }],
    audit: { subject: proposalId },
  });
}
