import { Failure, type NewProposal, type ProposedAct } from "@cardbridge/domain";
import { and, eq, ne, or, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { requireRow } from "../database/require-row.ts";
import { proposalColumns } from "../database/schema/proposals.ts";
import { platforms, proposals, users } from "../database/schema.ts";
import { pipelineCommit, type Tx, type Work } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { appendEntry } from "../operation/audit.ts";
import { encryptPayload, type ProposalRef, payloadOf } from "./payload.ts";
import { maybeOpen, type ProposalRow, proposalFields, proposalState } from "./rows.ts";
import { findSubject, type Subject } from "./subject.ts";

/** The insertable columns of proposals. Drizzle's insert lists every column of its table, granted or not. */
const newProposals = pgTable("proposals", proposalColumns());

/** The transaction that stores and audits a proposal; see the port for the contract. */
export const createProposal =
  (keys: PersonalDataKeys, platformId: string, proposal: NewProposal): Work<ProposalRow> =>
  async (tx) => {
    const { proposalId, act, version, note, personId, by } = proposal;
    const subject = await findSubject(tx, platformId, act);
    const row = { proposalId, platformId, kind: act.kind, ...subject };
    // Other proposals about the user, and an erasure, wait for this transaction.
    const user = requireRow(await lockUser(tx, row), "user");
    refuseErased(user, proposal, platformId);
    if (act.kind === "relink") await refuseTaken(tx, keys, act);
    const { seen, isOpen } = await readVersion(tx, row);
    if (version !== undefined && version !== seen) {
      throw conflict("changed", "What you saw has changed. Read it again.", ["version"]);
    }
    if (isOpen) throw conflict("proposed", "The same act is already proposed. Confirm or withdraw it.");
    const inserted = tx
      .insert(newProposals)
      .values({
        id: proposalId,
        platformId,
        userId: subject.externalUserId,
        recordId: subject.kycRecordId,
        holdId: subject.holdId,
        kind: act.kind,
        actor: by.actor,
        proposer: personId,
        seen,
        evidenceHash: act.kind === "approve" ? act.evidenceHash : null,
        encrypted: encryptPayload(payloadOf(act, note), row, user, keys.ring),
      })
      .execute();
    const audited = appendEntry(tx, platformId, { ...by, subject: proposalId, outcome: "done" });
    const stored = tx
      .select(proposalFields(proposal))
      .from(proposals)
      .innerJoin(platforms, eq(platforms.id, proposals.platformId))
      .where(and(eq(proposals.platformId, platformId), eq(proposals.id, proposalId)));
    return pipelineCommit([inserted, audited, stored], ([, , rows]) => requireRow(rows, "proposal"));
  };

function lockUser(tx: Tx, { platformId, externalUserId }: ProposalRef) {
  return tx
    .select({
      dataKey: users.dataKey,
      keyVersion: users.keyVersion,
      eraseRequestedAt: users.eraseRequestedAt,
    })
    .from(users)
    .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId)))
    .for("no key update");
}

/** An erased user has neither identifiers nor a data key, but a hold of what remains can be lifted. */
function refuseErased(
  { dataKey, eraseRequestedAt }: { dataKey: Buffer | null; eraseRequestedAt: Date | null },
  { act, note }: NewProposal,
  platformId: string,
): void {
  if (act.kind === "erase" && dataKey !== null && eraseRequestedAt !== null) {
    throw conflict("requested", "The erasure of the user is requested already.");
  }
  if (dataKey !== null) return;
  if (act.kind !== "liftHold") throw new Failure("USER_NOT_FOUND", { audit: { platformId } });
  if (note !== undefined)
    throw conflict("erased", "The user is erased, so no note can be stored. Omit it.", ["note"]);
}

/** @throws Failure USER_IDENTITY_CONFLICT if another user has one of the identifiers now. */
async function refuseTaken(
  tx: Tx,
  keys: PersonalDataKeys,
  { platformId, externalUserId, names: { email, memberId } }: Extract<ProposedAct, { kind: "relink" }>,
): Promise<void> {
  const taken = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.platformId, platformId),
        ne(users.id, externalUserId),
        or(
          email === undefined ? undefined : eq(users.emailIndex, blindIndex(keys, platformId, { email })),
          memberId === undefined
            ? undefined
            : eq(users.memberIdIndex, blindIndex(keys, platformId, { memberId })),
        ),
      ),
    );
  if (taken.length === 0) return;
  throw new Failure("USER_IDENTITY_CONFLICT", { audit: { platformId, subject: externalUserId } });
}

/** The current version of the subject, and whether an equal proposal is open. */
async function readVersion(tx: Tx, row: Subject & Pick<ProposalRef, "platformId" | "kind">) {
  const { platformId, kind, externalUserId, kycRecordId, holdId } = row;
  const same = sql`(${proposals.platformId}, ${proposals.userId}, ${proposals.kind}) = (${platformId}, ${externalUserId}, ${kind})
    and (${kind} <> 'approve' or ${proposals.recordId} = ${kycRecordId}) and ${proposals.holdId} is not distinct from ${holdId}`;
  const { rows } = await tx.execute<{ seen: string; is_open: boolean }>(sql`
    select proposal_version(${kind}, ${platformId}, ${externalUserId}, ${kycRecordId}, ${holdId}) as seen,
      exists (select from ${proposals} where ${same} and ${maybeOpen} and ${proposalState} = 'open') as is_open`);
  const { seen, is_open: isOpen } = requireRow(rows, "version");
  return { seen, isOpen };
}

function conflict(rule: string, message: string, path: string[] = []): Failure {
  return new Failure("PROPOSAL_CONFLICT", { violations: [{ path, rule, message }] });
}
