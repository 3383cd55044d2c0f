import { type AuditOrigin, Failure, type ProposalConflict, type Proposals } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/errors.ts";
import { proposals, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { appendEntry } from "../operation/audit.ts";
import { carryOut } from "./act.ts";
import { decryptPayload } from "./payload.ts";

export type Confirmation = Parameters<Proposals["confirm"]>[1];
type Confirmed = Awaited<ReturnType<Proposals["confirm"]>>;

/** Confirms a proposal and carries out its act in one transaction; see the port for the contract. */
export async function confirmProposal(
  database: Database,
  keys: PersonalDataKeys,
  { platformId, proposalId }: { platformId: string; proposalId: string },
  { personId, evidenceHash, noteId, by }: Confirmation,
): Promise<Confirmed> {
  try {
    return await database.asPlatform<Confirmed>(platformId, async (tx) => {
      const [found] = await findEncrypted(tx, platformId, proposalId);
      if (!found) return undefined;
      const why = await decide(tx, proposalId, { decision: "confirmed", personId, evidenceHash });
      if (why !== null) return { confirmed: false, why };
      const { encrypted, dataKey, keyVersion, actor, proposer, ...ref } = found;
      const row = { ...ref, platformId, proposalId };
      const payload = decryptPayload(encrypted, row, { dataKey, keyVersion }, keys.ring);
      const note = { noteId, restricted: false, actor, personId: proposer };
      const change = await carryOut(tx, keys, { row, payload, note, by });
      await appendEntry(tx, platformId, { ...by, subject: proposalId, outcome: "done" });
      return { confirmed: true, change };
    });
  } catch (error) {
    // Another user got one of the identifiers since the proposal.
    if (!isUniqueViolation(error)) throw error;
    throw new Failure("USER_IDENTITY_CONFLICT", { audit: { platformId, subject: proposalId } });
  }
}

/** Withdraws a proposal in one transaction; see the port for the contract. */
export function withdrawProposal(
  database: Database,
  { platformId, proposalId }: { platformId: string; proposalId: string },
  { personId, ...by }: AuditOrigin & { personId: string | null },
): ReturnType<Proposals["withdraw"]> {
  return database.asPlatform<Awaited<ReturnType<Proposals["withdraw"]>>>(platformId, async (tx) => {
    const why = await decide(tx, proposalId, { decision: "withdrawn", personId, evidenceHash: null });
    if (why !== null) return { withdrawn: false, why };
    await appendEntry(tx, platformId, { ...by, subject: proposalId, outcome: "done" });
    return { withdrawn: true };
  });
}

interface Decision {
  decision: "confirmed" | "withdrawn";
  personId: string | null;
  evidenceHash: string | null;
}

/** Null if the database decided the proposal; otherwise why it did not. */
async function decide(
  tx: Tx,
  proposalId: string,
  { decision, personId, evidenceHash }: Decision,
): Promise<ProposalConflict | null> {
  const { rows } = await tx.execute<{ result: ProposalConflict | "done" | "unknown-person" | null }>(
    sql`select decide_proposal(${proposalId}, ${decision}, ${personId}, ${evidenceHash}) as result`,
  );
  const result = rows[0]?.result ?? null;
  if (result === null) throw new Failure("PROPOSAL_NOT_FOUND");
  if (result === "unknown-person") throw new Failure("PERSON_BLOCKED");
  return result === "done" ? null : result;
}

function findEncrypted(tx: Tx, platformId: string, proposalId: string) {
  return tx
    .select({
      kind: proposals.kind,
      externalUserId: proposals.userId,
      kycRecordId: proposals.recordId,
      holdId: proposals.holdId,
      actor: proposals.actor,
      proposer: proposals.proposer,
      encrypted: proposals.encrypted,
      dataKey: users.dataKey,
      keyVersion: users.keyVersion,
    })
    .from(proposals)
    .innerJoin(users, and(eq(users.platformId, proposals.platformId), eq(users.id, proposals.userId)))
    .where(and(eq(proposals.platformId, platformId), eq(proposals.id, proposalId)));
}
